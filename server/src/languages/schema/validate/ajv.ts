/** The only importer of ajv, which validates where a schema has the rarer keywords, and of its formats. */
import { Ajv, type ErrorObject, type Format, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { FormatName } from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import type { Json } from '../../yaml/node.ts';
import type { Dialect, JsonObject, JsonViolation } from '../model.ts';
import type { Regex } from '../regex/regex.ts';
import { allSchemas, regexOf } from '../walk.ts';

export type AjvValidate = (value: Json) => readonly JsonViolation[];

/**
 * Compiles a schema that the meta-schema accepts. No `$data`, no asynchronous schemas, nothing fetched; `logger: false`
 * since the core has no output. Where ajv fails, there are no violations.
 */
export function compile(json: JsonObject, dialect: Dialect, regexes: Map<string, Regex>): AjvValidate {
  // ajv tells expressions apart by their text.
  const regExp = (pattern: string) => ({ test: regexOf(pattern, regexes).test, toString: () => pattern });
  const options: Options = {
    strict: false,
    allErrors: true,
    logger: false,
    meta: false,
    validateSchema: false,
    addUsedSchema: false,
    ownProperties: true,
    // The name of the engine is written only into code that is exported, which is never done here.
    code: { regExp: Object.assign(regExp as never, { code: 'regExp' }) },
  };
  try {
    const ajv = dialect === 'draft-07' ? new Ajv(options) : new Ajv2020(options);
    for (const name of Object.keys(fullFormats)) {
      const { type } = formatOf(name);
      ajv.addFormat(name, { type, validate: (value: string | number) => hasFormat(name, value) !== false } as Format);
    }
    const accepts = ajv.compile(withoutForeignKeywords(json));
    return (value) => {
      try {
        return accepts(value) ? [] : (accepts.errors ?? []).map(explain);
      } catch {
        // Some of the code that ajv generates for unevaluated properties fails itself.
        return [];
      }
    };
  } catch {
    // A keyword is used in a way that ajv cannot compile.
    return () => [];
  }
}

function explain({ instancePath, message = 'does not fit' }: ErrorObject): JsonViolation {
  const path = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return { path, kind: 'other', message: `The value does not fit the schema: it ${message}.` };
}

/** A copy without `id` (draft-04), which ajv refuses, and `$async`, which it obeys, though no dialect here has them. */
function withoutForeignKeywords(json: JsonObject): JsonObject {
  const copy = JSON.parse(JSON.stringify(json)) as JsonObject;
  for (const schema of allSchemas(copy)) {
    const open = schema as Record<string, Json>;
    delete open.id;
    delete open.$async;
    delete open.$schema;
    // ajv looks a format up in a plain object, where `constructor` is found as well.
    if (typeof open.format !== 'string' || !Object.hasOwn(fullFormats, open.format)) delete open.format;
    if (open.type === undefined) delete open.nullable;
  }
  return copy;
}

/** Longer texts are not judged by a format: its expression backtracks, and may take the square of the length. */
const MAX_FORMATTED = 2_000;

/** Whether a text or number has a format that JSON Schema names; undefined where the format is not known, or cannot tell. */
export function hasFormat(name: string, value: string | number): boolean | undefined {
  const { type, validate } = formatOf(name);
  if (typeof value !== type || (typeof value === 'string' && value.length > MAX_FORMATTED)) return undefined;
  if (validate instanceof RegExp) return validate.test(String(value));
  return typeof validate === 'function' ? validate(value) === true : undefined;
}

function formatOf(name: string): { readonly type: 'string' | 'number'; readonly validate?: unknown } {
  const format = Object.hasOwn(fullFormats, name) ? fullFormats[name as FormatName] : true;
  const isDefinition = typeof format === 'object' && !(format instanceof RegExp);
  return isDefinition
    ? { type: format.type ?? 'string', validate: format.validate }
    : { type: 'string', validate: format };
}
