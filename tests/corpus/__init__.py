"""The fixed corpus: submissions told by their differences from a few bases, and the reference's verdicts.

| module       | what it does                                                                 |
|--------------|------------------------------------------------------------------------------|
| `trees`      | a folder as a mapping; the difference of two such mappings, and back         |
| `store`      | the files under `fixtures/corpus/`: bases, cases, and a case put on disk     |
| `verdicts`   | rows of two checkers compared; the listed deviations                         |
| `privileges` | a checker run in a thread for which file modes count, also for root          |
| `show`       | `python -m tests.corpus.show NAME`: one case, its change and its verdict     |
| `refresh`    | `python -m tests.corpus.refresh --oracle KIT`: writes the files anew         |
"""
