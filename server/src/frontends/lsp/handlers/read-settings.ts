/**
 * Reads the settings of a client and validates them with the schema in the extension's manifest. Invalid settings are
 * reported, and their defaults are used.
 */
import { contributes } from '../../../../../package.json';
import { isKnownModel, unknownModel } from '../../../clients/facts/models.ts';
import { CODE_LENSES } from '../../../features/code-lens.ts';
import { INLAY_HINTS } from '../../../features/inlay-hints.ts';
import { isExcessive } from '../../../languages/schema/origins.ts';
import { type JsonObject, parseSchema, type Schema, toNode, validateJson } from '../../../languages/schema/schema.ts';
import type { Json } from '../../../languages/yaml/node.ts';
import {
  type CodeLensKind,
  DEFAULT_FILES,
  globProblem,
  type InlayHintKind,
  LONGEST_SETTINGS,
  SECTION,
  type Settings,
} from '../../../protocol.ts';
import { isRecord } from '../options.ts';

export interface ReadSettings {
  readonly settings: Settings;
  /** One sentence for each ignored setting or part of a setting. */
  readonly problems: readonly string[];
}

/** The schema keys in the manifest that are only for the editor's settings page. */
const FOR_EDITORS: ReadonlySet<string> = new Set([
  'order',
  'scope',
  'markdownDescription',
  'enumDescriptions',
  'markdownEnumDescriptions',
  'default',
]);

/** Marks an invalid item of a list. No valid item is an empty string. */
const LEFT_OUT = '';

const NO_HOME =
  '`skillComposer.accountSkills` is not supported in a browser, which cannot read folders outside the workspace. Move the skills into the workspace.';

export class SettingsReader {
  readonly #schema: Schema;
  readonly #names: readonly string[];
  readonly #hasHome: boolean;

  /** `hasHome` is true if folders outside the workspace can be read. */
  constructor(hasHome: boolean) {
    this.#hasHome = hasHome;
    const prefix = `${SECTION}.`;
    const entries = Object.entries(contributes.configuration.properties);
    const properties = Object.fromEntries(entries.map(([name, schema]) => [name.slice(prefix.length), bare(schema)]));
    this.#names = Object.keys(properties);
    const $schema = 'https://json-schema.org/draft/2020-12/schema';
    this.#schema = parseSchema(toNode({ $schema, type: 'object', properties, additionalProperties: false }));
  }

  read(given: unknown): ReadSettings {
    if (given === undefined || given === null) return { settings: {}, problems: [] };
    if (!isRecord(given)) return { settings: {}, problems: [`\`${SECTION}\` must be an object of settings.`] };
    // An excessive value would not be validated.
    if (isExcessive(given as JsonObject) || JSON.stringify(given).length > LONGEST_SETTINGS)
      return { settings: {}, problems: ['The settings are too long or nested too deeply.'] };
    const flat = new Map(this.#flatten(given as JsonObject, ''));
    const problems: string[] = [];
    const reported = new Set<string>();
    const invalid = new Map<string, Set<string | number | undefined>>();
    for (const { path, message } of [...modelProblems(flat), ...validateJson(this.#schema, Object.fromEntries(flat))]) {
      const name = nameOf(path);
      if (reported.has(name)) continue;
      reported.add(name);
      problems.push(`\`${name}\`: ${message}`);
      const setting = String(path[0]);
      invalid.set(setting, (invalid.get(setting) ?? new Set()).add(path[1]));
    }
    for (const [name, parts] of invalid) leaveOut(flat, name, parts);
    if (!this.#hasHome && flat.get('accountSkills')) {
      flat.delete('accountSkills');
      problems.push(NO_HOME);
    }
    const files = flat.get('files');
    if (Array.isArray(files)) flat.set('files', usableGlobs(files as readonly string[], problems));
    for (const [name, value] of flat) {
      if (Array.isArray(value))
        flat.set(
          name,
          value.filter((item) => item !== LEFT_OUT),
        );
    }
    // A list with only invalid items is not a request for an empty workspace.
    const written = given.files;
    const isLost = written !== undefined && written !== null && (!Array.isArray(written) || written.length > 0);
    if (isLost && !(flat.get('files') as readonly string[] | undefined)?.length) flat.set('files', [...DEFAULT_FILES]);
    return { settings: nested(flat), problems };
  }

  /** Returns the settings by their full names: `{format: {enable}}` is `format.enable`. Null is ignored. */
  #flatten(value: JsonObject, prefix: string): readonly (readonly [string, Json])[] {
    return Object.entries(value).flatMap(([key, inner]): readonly (readonly [string, Json])[] => {
      const name = `${prefix}${key}`;
      if (inner === null || inner === undefined) return [];
      const isGroup = !this.#names.includes(name) && this.#names.some((known) => known.startsWith(`${name}.`));
      return isGroup && isRecord(inner) ? this.#flatten(inner as JsonObject, `${name}.`) : [[name, inner]];
    });
  }
}

/** Returns a schema without the keys for the settings page. */
function bare(schema: unknown): Json {
  if (Array.isArray(schema)) return schema.map(bare);
  if (!isRecord(schema)) return schema as Json;
  const kept = Object.entries(schema).filter(([key]) => !FOR_EDITORS.has(key));
  return Object.fromEntries(kept.map(([key, value]) => [key, bare(value)]));
}

const nameOf = ([setting, ...path]: readonly (string | number)[]): string =>
  [`${SECTION}${setting === undefined ? '' : `.${setting}`}`, ...path.map((step) => `[${JSON.stringify(step)}]`)].join(
    '',
  );

/** Removes the invalid items or entries if the setting is a list or a map; otherwise removes the whole setting. */
function leaveOut(flat: Map<string, Json>, name: string, parts: ReadonlySet<string | number | undefined>): void {
  const value = flat.get(name);
  if (Array.isArray(value) && !parts.has(undefined)) {
    // Invalid items are marked instead of removed, so that the indexes in later problems stay valid.
    flat.set(
      name,
      value.map((item, at) => (parts.has(at) ? LEFT_OUT : item)),
    );
  } else if (isRecord(value) && !parts.has(undefined)) {
    flat.set(name, Object.fromEntries(Object.entries(value).filter(([key]) => !parts.has(key))) as JsonObject);
  } else {
    flat.delete(name);
  }
}

const MODEL = 'agentSkills.model';

/** Returns the problems with unknown models. The schema reports values that are not names. */
function modelProblems(settings: ReadonlyMap<string, Json>) {
  const value = settings.get(MODEL);
  const isUnknown = (name: Json): name is string => typeof name === 'string' && name !== '' && !isKnownModel(name);
  if (Array.isArray(value)) {
    return value.flatMap((name: Json, at) =>
      isUnknown(name) ? [{ path: [MODEL, at], message: unknownModel(name) }] : [],
    );
  }
  if (value === undefined || typeof value === 'number') return [];
  if (typeof value !== 'string')
    return [{ path: [MODEL], message: 'Expected a name of a model, or a number of tokens.' }];
  return isUnknown(value) ? [{ path: [MODEL], message: unknownModel(value) }] : [];
}

function usableGlobs(globs: readonly string[], problems: string[]): string[] {
  return globs.filter((glob, at) => {
    const problem = globProblem(glob);
    const name = nameOf(['files', at]);
    if (problem && !problems.some((one) => one.startsWith(`\`${name}\``))) {
      problems.push(`\`${name}\`: invalid glob, because ${problem}.`);
    }
    return problem === undefined;
  });
}

function nested(flat: ReadonlyMap<string, Json>): Settings {
  const settings: Record<string, Record<string, Json> | Json> = {};
  for (const [name, value] of flat) {
    const [group = '', key] = name.split('.');
    if (key === undefined) settings[group] = value;
    else settings[group] = { ...(settings[group] as Record<string, Json> | undefined), [key]: value };
  }
  return settings as Settings;
}

/** The current settings of the features. */
export class FeatureSettings {
  codeLens: ReadonlySet<CodeLensKind> = new Set(CODE_LENSES);
  inlayHints: ReadonlySet<InlayHintKind> = new Set(INLAY_HINTS);
  formats = true;

  /** Applies the settings and returns what the client must request again. */
  set({ codeLens, inlayHints, format }: Settings): { readonly lenses: boolean; readonly hints: boolean } {
    const [lenses, hints] = [new Set(codeLens ?? CODE_LENSES), new Set(inlayHints ?? INLAY_HINTS)];
    const changed = { lenses: differ(lenses, this.codeLens), hints: differ(hints, this.inlayHints) };
    this.codeLens = lenses;
    this.inlayHints = hints;
    this.formats = format?.enable !== false;
    return changed;
  }
}

const differ = (a: ReadonlySet<string>, b: ReadonlySet<string>): boolean =>
  a.size !== b.size || [...a].some((kind) => !b.has(kind));
