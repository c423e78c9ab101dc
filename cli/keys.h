/* cli/keys.h -- every key of JSON, from the tables that it is written by: each stands beside its
 * writer. */
#ifndef MDP_CLI_KEYS_H
#define MDP_CLI_KEYS_H

#include "cli/output_rows.h"

/* In the order of `list keys`, within each `of`. */
// clang-format off
#define KEY_TABLES(X) \
    X(schema_rows) X(query_rows) X(choice_rows) X(gain_rows) X(undecided_rows) \
    X(interval_rows) X(explain_rows) X(forecast_rows) X(prediction_rows) \
    X(price_rows) X(sample_cost_rows) \
    X(bound_rows) X(how_rows) X(degree_rows) \
    X(occupancy_rows) \
    X(program_rows) X(notes_rows) X(verdict_rows) X(verdict_n_rows) X(verdict_chosen_rows) \
    X(verdict_gain_rows) X(verdict_sample_rows) \
    X(comparison_bound_rows) X(comparison_kernel_rows) X(intervals_rows) X(every_rows) \
    X(kept_rows) X(races_rows) X(race_rows) X(race_side_rows) X(hot_rows) X(hot_kernel_rows) \
    X(hot_line_rows) \
    X(run_rows) X(run_end_rows) X(core_rows) X(block_rows) X(search_rows) X(perturbed_rows) \
    X(perturbed_all_rows) X(perturbed_run_rows) \
    X(comparison_rows) X(comparison_work_rows) X(comparison_price_rows) X(price_search_rows) \
    X(price_part_rows) \
    X(scheduler_rows) X(combination_rows) X(normalised_rows) X(mean_rows) \
    X(code_rows) X(phase_rows) X(point_rows) X(bit_rows) \
    X(entry_rows) X(parameter_rows) X(key_rows) X(workload_rows) X(workload_array_rows) \
    X(size_rows) X(kernel_entry_rows) X(figure_rows) \
    X(host_call_rows) X(rejection_rows) \
    X(fit_gpus_rows) X(all_rows) X(predictor_rows) X(group_rows) X(predictor_name_rows) X(case_rows) \
    X(case_array_rows) X(choices_rows) X(case_choice_rows)
// clang-format on
#define X(table) extern const struct output_row table[];
KEY_TABLES(X)
#undef X

/* Those that have an `of`, together by that. */
void keys_walk(void (*each)(void *user, const struct output_row *key), void *user);

#endif
