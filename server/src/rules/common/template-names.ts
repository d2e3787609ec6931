/** The names that a skill's templates and conditions may use, beside those that a template defines itself. */
import { FUNCTIONS } from '../../languages/minijinja/builtins/builtins.ts';
import { CONDITION_VARIABLES, TEMPLATE_VARIABLES } from '../../vocabulary/known-names.ts';

/** The variables that the composer passes to a template, and the functions of MiniJinja. */
export const AMBIENT_IN_TEMPLATES: ReadonlySet<string> = new Set([
  ...TEMPLATE_VARIABLES.map(({ name }) => name),
  ...FUNCTIONS.keys(),
]);

export const AMBIENT_IN_CONDITIONS: ReadonlySet<string> = new Set([
  ...CONDITION_VARIABLES.map(({ name }) => name),
  ...FUNCTIONS.keys(),
]);
