/** Validates a request before anything is rendered (docs/composer.md, step 1). Finds all errors, each at its place. */

import { isUsable } from '../languages/schema/schema.ts';
import type { SkillPackage } from '../skill/package.ts';
import type { Span } from '../text.ts';
import type { ComposeError, ComposeRequest } from './composition.ts';
import { framingError } from './find-framing.ts';
import { parameterErrors } from './validate-parameters.ts';
import { toolErrors } from './validate-tools.ts';

export function validate(request: ComposeRequest): readonly ComposeError[] {
  const { skillPackage } = request;
  const { unreadable, uri } = skillPackage;
  if (unreadable) {
    const message = `The frontmatter cannot be read: ${unreadable.message}`;
    const suggestion = 'Mend the YAML; nothing can be composed before.';
    return [{ kind: 'MissingRequiredField', uri, span: unreadable.span, subject: 'frontmatter', message, suggestion }];
  }
  return [...missingFields(skillPackage), ...toolErrors(request), ...parameterErrors(request)];
}

function missingFields(skillPackage: SkillPackage): ComposeError[] {
  const { uri, name, inputSchema, headSpan } = skillPackage;
  const at = (span: Span, subject: string, message: string, suggestion: string): ComposeError => ({
    kind: 'MissingRequiredField',
    uri,
    span,
    subject,
    message,
    suggestion,
  });
  const errors: ComposeError[] = [];
  if (!name) errors.push(at(headSpan, 'name', 'The skill has no `name`.', 'Add `name:` to the frontmatter.'));
  const framing = framingError(skillPackage);
  if (framing) errors.push(framing);
  if (!inputSchema) {
    const suggestion = 'Add `input_schema:` with the parameters, `{}` where there is nothing to pass.';
    errors.push(at(headSpan, 'input_schema', 'The skill has no parameter schema, `input_schema`.', suggestion));
  } else if (!isUsable(inputSchema)) {
    const problem = inputSchema.problems.find(({ severity }) => severity === undefined);
    const message = `The parameter schema is malformed: ${problem?.message ?? ''}`;
    errors.push(at(problem?.span ?? inputSchema.span, 'input_schema', message, 'Mend the schema at this place.'));
  }
  return errors;
}
