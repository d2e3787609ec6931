/** Validates a request before anything is rendered (docs/composer.md, step 1). Finds all errors, each at its place. */

import { isUsable } from '../languages/schema/schema.ts';
import type { PackageArtifact, SkillPackage } from '../skill/package.ts';
import type { Span } from '../text.ts';
import type { ComposeError, ComposeRequest } from './composition.ts';
import { type Framing, framingError } from './find-framing.ts';
import { parameterErrors } from './validate-parameters.ts';
import { referenceErrors, toolErrors } from './validate-tools.ts';

export function validate(request: ComposeRequest, framing: Framing): readonly ComposeError[] {
  const { skillPackage } = request;
  const { unreadable, uri } = skillPackage;
  if (unreadable) {
    const message = `The frontmatter cannot be read: ${unreadable.message}`;
    const suggestion = 'Fix the YAML; nothing can be composed before.';
    return [{ kind: 'MissingRequiredField', uri, span: unreadable.span, subject: 'frontmatter', message, suggestion }];
  }
  return [
    ...missingFields(skillPackage),
    ...toolErrors(request),
    ...referenceErrors(skillPackage, framing, (artifact) => isAlwaysTaken(skillPackage, framing, artifact)),
    ...parameterErrors(request),
  ];
}

/** Whether every invocation with this framing takes the artifact. What a condition decides is judged later. */
function isAlwaysTaken({ artifacts }: SkillPackage, framing: Framing, artifact: PackageArtifact): boolean {
  if (framing.kind === 'template' && framing.template === artifact) return true;
  if (artifact.includeWhen) return false;
  return artifact.kind === 'Description' || artifacts.find(({ kind }) => kind === 'Approach') === artifact;
}

function missingFields(skillPackage: SkillPackage): ComposeError[] {
  const { uri, name, inputSchema, headSpan, exitProblems } = skillPackage;
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
    for (const { span, message, severity } of inputSchema.problems) {
      if (severity !== undefined) continue;
      const malformed = `The parameter schema is malformed: ${message}`;
      errors.push(at(span, 'input_schema', malformed, 'Fix the schema at this place.'));
    }
  }
  for (const { span, message, suggestion } of exitProblems) errors.push(at(span, 'exit', message, suggestion));
  return errors;
}
