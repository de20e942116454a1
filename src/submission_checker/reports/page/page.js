"use strict";
// Filters over the findings, and tooltips that come at once and by touch. The page is complete without either.
(() => {
  const filters = document.querySelector(".filters");
  const cards = [...document.querySelectorAll(".finding")];
  const kinds = [...document.querySelectorAll("input[data-kind]")];
  const field = (name) => document.querySelector(`[data-filter="${name}"]`);

  function apply() {
    const shown = new Set(kinds.filter((box) => box.checked).map((box) => box.dataset.kind));
    const clause = field("clause").value;
    const text = field("text").value.trim().toLowerCase();
    let number = 0;
    for (const card of cards) {
      const place = card.parentElement.querySelector("h3").textContent;
      const fits =
        shown.has(card.dataset.kind) &&
        (!clause || card.dataset.clauses.split("|").includes(clause)) &&
        (!text || (place + "\n" + card.textContent).toLowerCase().includes(text));
      card.hidden = !fits;
      number += fits;
    }
    for (const group of document.querySelectorAll("#findings .group"))
      group.hidden = !group.querySelector(".finding:not([hidden])");
    filters.querySelector("output").textContent = `${number} of ${cards.length} shown`;
  }

  function reveal() {
    const card = location.hash.startsWith("#finding-") && document.getElementById(location.hash.slice(1));
    if (!card || !card.hidden) return;
    for (const box of kinds) box.checked = true;
    field("clause").value = field("text").value = "";
    apply();
    card.scrollIntoView();
  }

  if (filters) {
    filters.hidden = false;
    filters.addEventListener("input", apply);
    window.addEventListener("hashchange", reveal);
    apply();
  }

  const tooltip = document.getElementById("tooltip");
  for (const point of document.querySelectorAll("svg .point[tabindex]")) {
    const title = point.querySelector("title");
    const text = title.textContent.trim();
    // The browser's own tooltip would come on top of ours; the text stays for screen readers.
    title.remove();
    point.setAttribute("role", "img");
    point.setAttribute("aria-label", text);
    const show = () => {
      tooltip.textContent = text;
      tooltip.hidden = false;
      const box = point.getBoundingClientRect();
      const own = tooltip.getBoundingClientRect();
      const left = Math.min(box.right + 8, document.documentElement.clientWidth - own.width - 8);
      tooltip.style.left = `${Math.max(8, left)}px`;
      tooltip.style.top = `${Math.max(8, box.top - own.height - 8)}px`;
    };
    const hide = () => (tooltip.hidden = true);
    point.addEventListener("pointerenter", show);
    point.addEventListener("pointerleave", hide);
    point.addEventListener("focus", show);
    point.addEventListener("blur", hide);
  }
})();
