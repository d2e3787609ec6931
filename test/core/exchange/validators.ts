/** The published schemas as validators. */
import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { type Dialect, dialectOf } from '../../../server/src/vocabulary/dialect.ts';

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
const compiled = new Map<string, ValidateFunction>();

/** Returns the validator for a schema in `server/schemas`; `name` does not contain the suffix `.schema.json`. */
export function validatorOf(name: string): ValidateFunction {
  const validate =
    compiled.get(name) ?? ajv.compile(JSON.parse(readFileSync(`server/schemas/${name}.schema.json`, 'utf8')));
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
};

/** Returns the validator for a file with this name. */
export const validatorFor = (path: string): ValidateFunction => validatorOf(NAMES[dialectOf(path) ?? 'composer']);
