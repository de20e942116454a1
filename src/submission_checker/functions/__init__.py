"""The named quantities of the policy: pure functions that rules call by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from submission_checker.functions.accuracy import (
    accuracy_bands,
    gate_rows,
    inline_dataset,
    is_unnamed_score,
    issued_samples,
    mean_metrics,
    metrics_by_dataset,
    read_scores,
    target_of,
    unbounded_numbers,
    usable_scores,
)
from submission_checker.functions.agentic import (
    band_results,
    headline_score,
    is_fraction,
    mean_of_bands,
    mean_osl,
    swebench_band,
)
from submission_checker.functions.cohorts import (
    cohort_after,
    cohorts_between,
    has_cohort_form,
)
from submission_checker.functions.descriptions import first_difference, missing_fields
from submission_checker.functions.descriptor_faults import (
    component_faults,
    computed_faults,
    derived_bandwidth_tbps,
    fabric_faults,
    figure_faults,
    node_set_faults,
    provisioned_nodes,
)
from submission_checker.functions.drafters import (
    approved_drafter,
    drafter_list,
    drafters_of,
)
from submission_checker.functions.engagement import (
    accelerator_total,
    accelerators_by_set,
    accelerators_less_a_node,
    node_use,
    parallel_layout,
)
from submission_checker.functions.metrics import (
    agrees,
    e2e_avg_interactivity,
    elapsed_s,
    relative_error,
    reported_number,
    reported_tps,
    stored_number,
    system_tps,
    system_tps_per_kw,
    total_output_tokens,
    tpot_p90_ms,
    tps_per_user,
)
from submission_checker.functions.node_power import (
    bandwidth_power_w,
    declared_figure,
    default_accelerator_w,
    default_cpu_w,
    default_switch_w,
    engaged_power_kw,
    node_kinds,
    node_set_powers,
    power_figures,
    sourced_watts,
    system_power,
)
from submission_checker.functions.paths import model_name_hint, shared_path
from submission_checker.functions.power import (
    borrowed_cooling,
    overhead_fraction,
    provisioned_power,
)
from submission_checker.functions.regions import (
    concurrencies_in,
    derived_c_min,
    last_per_concurrency,
    matched_bands,
    region_bounds,
    region_of,
)
from submission_checker.functions.seeds import seed_mismatches, seed_registry
from submission_checker.functions.steady_state import (
    drifting_metrics,
    measured_duration_ms,
    super_pass_span,
    unknown_steady_state_words,
)

BUILTINS: Mapping[str, Callable[..., Any]] = MappingProxyType(
    {
        function.__name__: function
        for function in (
            # regions
            concurrencies_in,
            derived_c_min,
            last_per_concurrency,
            matched_bands,
            region_bounds,
            region_of,
            # power
            borrowed_cooling,
            overhead_fraction,
            provisioned_power,
            # power by node sets, engagement
            bandwidth_power_w,
            declared_figure,
            default_accelerator_w,
            default_cpu_w,
            default_switch_w,
            engaged_power_kw,
            node_kinds,
            node_set_powers,
            power_figures,
            sourced_watts,
            system_power,
            component_faults,
            computed_faults,
            derived_bandwidth_tbps,
            fabric_faults,
            figure_faults,
            node_set_faults,
            provisioned_nodes,
            accelerator_total,
            accelerators_by_set,
            accelerators_less_a_node,
            node_use,
            parallel_layout,
            # cohorts, seeds, drafters
            cohort_after,
            cohorts_between,
            has_cohort_form,
            seed_mismatches,
            seed_registry,
            approved_drafter,
            drafter_list,
            drafters_of,
            # metrics, steady state
            agrees,
            e2e_avg_interactivity,
            elapsed_s,
            relative_error,
            reported_number,
            reported_tps,
            stored_number,
            system_tps,
            system_tps_per_kw,
            total_output_tokens,
            tpot_p90_ms,
            tps_per_user,
            drifting_metrics,
            measured_duration_ms,
            super_pass_span,
            unknown_steady_state_words,
            # accuracy, agentic
            accuracy_bands,
            gate_rows,
            inline_dataset,
            is_unnamed_score,
            issued_samples,
            mean_metrics,
            metrics_by_dataset,
            read_scores,
            target_of,
            unbounded_numbers,
            usable_scores,
            band_results,
            headline_score,
            is_fraction,
            mean_of_bands,
            mean_osl,
            swebench_band,
            # documents, paths and names
            first_difference,
            missing_fields,
            model_name_hint,
            shared_path,
        )
    }
)
"""Every function that a rule can call, by its name."""
