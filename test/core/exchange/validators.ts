/** The published schemas as validators. */
import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { Subgraph } from '../../../server/src/composer/composition.ts';
import { mapPlaces } from '../../../server/src/features/preview/with-ranges.ts';
import { type Dialect, dialectOf } from '../../../server/src/vocabulary/dialect.ts';
import { schemaTexts } from '../../../server/src/vocabulary/published/schemas.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
const compiled = new Map<string, ValidateFunction>();

/** Returns a published schema as the build writes it; `name` does not contain the suffix `.schema.json`. */
export const publishedSchema = (name: string) => JSON.parse(schemaTexts().get(`${name}.schema.json`) ?? '');

/** Returns the validator for a published schema; `name` does not contain the suffix `.schema.json`. */
export function validatorOf(name: string): ValidateFunction {
  const validate = compiled.get(name) ?? ajv.compile(publishedSchema(name));
  compiled.set(name, validate);
  return validate;
}

const NAMES: Readonly<Record<Dialect, string>> = {
  composer: 'skill',
  contract: 'skill',
  'agent-skill': 'skill-md',
  catalog: 'skills-config',
  package: 'package',
  plugin: 'package',
  'client-file': 'package',
  evals: 'package',
  openai: 'package',
  workflow: 'package',
};

/** Returns the validator for a file with this name. */
export const validatorFor = (path: string): ValidateFunction => validatorOf(NAMES[dialectOf(path) ?? 'composer']);

/** Asserts that a subgraph, as the command line prints it, matches the published schema. */
export function assertSubgraph(shape: Subgraph): void {
  const position = { line: 0, character: 0 };
  const printed = mapPlaces(shape, (file) => ({ file, range: { start: position, end: position } }));
  const validate = validatorOf('subgraph');
  assert.ok(validate(JSON.parse(JSON.stringify(printed))), JSON.stringify(validate.errors?.slice(0, 20)));
}
