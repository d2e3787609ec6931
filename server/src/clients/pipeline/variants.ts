/**
 * The settings of a client that have a fixed set of values, or for which these values are tried to find out whether an
 * observation depends on them.
 */
import type { Words } from './admit.ts';
import type { Edge, Gives } from './deliver.ts';
import type { FileOrder } from './deliver-files.ts';
import type { Dialect, Repair } from './dialects.ts';
import type { Escape, PathForm } from './entry.ts';
import type { BodyPart, Counts, LimitUnit, NameChange, NameRules, Scalars } from './fields.ts';
import type { FileName, Flat, Follows } from './find.ts';
import type { Closes, Opens, YamlEnds } from './open.ts';
import type { EqualNames, Order, SameFile } from './resolve.ts';
import type { Choice } from './setting.ts';

/** Returns the names of a type. The record has each of them, so that none is forgotten. */
const all = <Name extends string>(names: Readonly<Record<Name, true>>): readonly string[] => Object.keys(names);

const TYPES = [[], ['number', 'boolean'], ['number', 'boolean', 'list'], ['number', 'boolean', 'list', 'map']];
const ANSWERS = ['yes', 'no'];
const STANDARD_KEYS = ['name', 'description', 'license', 'allowed-tools', 'metadata', 'compatibility'];

const value = (key: 'name' | 'description', max: number) => ({
  [`fields.${key}.types`]: TYPES,
  [`fields.${key}.structure`]: ['joined', 'json'],
  [`fields.${key}.otherType`]: ['missing', 'stop'],
  [`fields.${key}.null`]: ['missing', 'stop', 'text'],
  [`fields.${key}.trims`]: [true, false],
  [`fields.${key}.blank`]: ['text', 'empty'],
  [`fields.${key}.max`]: [null, max],
});

const EDGES = all<Edge>({ kept: true, breaks: true, trimmed: true, 'trimmed-after-keys': true });

const call = (path: 'deliver.model' | 'deliver.person') => ({
  [`${path}.gives`]: all<Gives>({ body: true, file: true, name: true, nothing: true }),
  [`${path}.start`]: EDGES,
  [`${path}.end`]: EDGES.filter((edge) => edge !== 'trimmed-after-keys'),
  [`${path}.breaks`]: ['kept', 'lf'],
  [`${path}.rules`]: ['kept', 'joined'],
  [`${path}.arguments`]: ['filled', 'kept'],
  [`${path}.headless`]: ['works', 'text'],
  [`${path}.files.hidden`]: [true, false],
  [`${path}.files.leftOut`]: [[], ['node_modules']],
  [`${path}.files.folders`]: [null, ['scripts', 'references', 'assets']],
  [`${path}.files.most`]: [null, 10],
  [`${path}.files.order`]: all<FileOrder>({ path: true, locale: true, any: true }),
});

/** The values of each setting by its path. A setting whose values are not closed has a list of usual ones. */
export const VARIANTS: ReadonlyMap<string, readonly unknown[]> = new Map<string, readonly unknown[]>(
  Object.entries({
    'find.fileName': all<FileName>({ exact: true, 'any-case': true, 'two-cases': true, ending: true }),
    'find.root': [true, false],
    'find.depth': [1, null],
    'find.hidden': [true, false],
    'find.flat': all<Flat>({ none: true, 'in-root': true, 'below-root': true }),
    'find.folderLinks': all<Follows>({ yes: true, no: true, never: true, inside: true, 'in-place': true }),
    'find.fileLinks': all<Follows>({ yes: true, no: true, never: true, inside: true, 'in-place': true }),
    'find.belowSkill': [true, false],
    'find.leftOut': [[], ['node_modules']],
    'find.doubleSpaces': [true, false],
    'find.maxBytes': [null, 102_400],
    'plugins.root': ['alone', 'never'],
    'plugins.direct': ['only', 'beside', 'never'],
    'plugins.depth': [1, 6, null],
    'plugins.undescribed': [true, false],
    'open.bom': ['skip', 'keep'],
    'open.encoding': ['replace', 'stop'],
    'open.crlf': ['break', 'stop'],
    'open.cr': ['break', 'text'],
    'open.opens': all<Opens>({
      line: true,
      'exact-line': true,
      'trimmed-line': true,
      prefix: true,
      'prefix-and-one': true,
      language: true,
      'after-space': true,
      'prefix-after-space': true,
      'hyphens-after-space': true,
      'any-line': true,
      anywhere: true,
    }),
    'open.closes': all<Closes>({
      line: true,
      'exact-line': true,
      'exact-line-below': true,
      'line-with-break': true,
      'indented-line': true,
      prefix: true,
      'prefix-below': true,
      'prefix-or-end': true,
      'line-or-end': true,
      hyphens: true,
      anywhere: true,
      'as-opening': true,
    }),
    'open.yamlEnds': all<YamlEnds>({ whole: true, 'without-last-break': true, trimmed: true }),
    'open.absent': ['drop', 'body'],
    'parse.dialect': all<Dialect>({
      yaml: true,
      'js-yaml-3': true,
      'js-yaml-4-1': true,
      'js-yaml-4': true,
      bun: true,
      serde: true,
      'go-yaml': true,
      pyyaml: true,
      'lines-openai': true,
      'lines-letta': true,
      'lines-gemini': true,
      'lines-qwen': true,
      'lines-droid': true,
      'lines-qoder': true,
    }),
    'parse.duplicates': ['error', 'first', 'last'],
    'parse.repair': all<Repair>({
      none: true,
      'quote-claude': true,
      'quote-codex': true,
      'quote-opencode': true,
      'quote-kilo': true,
      'quote-openclaw': true,
      'quote-strands': true,
      'lines-openai': true,
      'lines-letta': true,
      'lines-gemini': true,
      'lines-qwen': true,
      'lines-droid': true,
      'lines-qoder': true,
    }),
    'parse.afterError': ['drop', 'body'],
    'fields.name.from': all<NameRules['from'] & string>({ key: true, 'key-or-folder': true, folder: true }),
    ...value('name', 64),
    'fields.name.empty': ['missing', 'kept'],
    'fields.name.pattern': [null, '^[a-z0-9-]+$', '^[a-z0-9]+(-[a-z0-9]+)*$'],
    'fields.name.isFolder': [true, 'any-case', false],
    'fields.name.cut': [null, 64],
    'fields.name.change': all<NameChange>({
      none: true,
      trim: true,
      fold: true,
      spaces: true,
      'path-characters': true,
    }),
    'fields.name.label': [null, '^[^\\s/]+$'],
    'fields.description.missing': [
      'stop',
      'none',
      ...all<BodyPart>({
        'first-line': true,
        'first-raw-line': true,
        'first-written-line': true,
        'first-text-line': true,
        'first-lines': true,
      }),
    ],
    'fields.description.refusesTags': [true, false],
    ...value('description', 1024),
    'fields.description.empty': ['missing', 'kept', { text: 'No description provided' }],
    'fields.keys': [null, STANDARD_KEYS],
    'fields.counts': all<LimitUnit>({ 'code-points': true, 'code-units': true, bytes: true }),
    'fields.scalars': all<Scalars>({ written: true, value: true }),
    'fields.emptyBody': [true, false],
    'resolve.equalNames': all<EqualNames>({ first: true, last: true, both: true, any: true }),
    'resolve.sameFile': all<SameFile>({ once: true, each: true }),
    'resolve.order': all<Order>({ path: true, reverse: true, 'all-paths': true }),
    'resolve.ignoresCase': [true, false],
    'admit.words': all<Words>({ boolean: true, 'true-false': true, 'yes-no': true, exact: true }),
    'admit.usually.listed': ANSWERS,
    'admit.usually.model': ANSWERS,
    'admit.usually.person': ANSWERS,
    'admit.usually.permission': ANSWERS,
    'entry.counts': all<Counts>({ 'code-points': true, 'code-units': true }),
    'entry.escape': all<Escape>({
      none: true,
      xml: true,
      html: true,
      decimal: true,
      python: true,
      handlebars: true,
      text: true,
      angle: true,
      json: true,
    }),
    ...call('deliver.model'),
    ...call('deliver.person'),
    'deliver.permission.otherwise': ['refused', 'not-offered'],
    'entry.path': all<PathForm>({ absolute: true, home: true, relative: true, 'below-slash': true }),
    'entry.replaces': [null],
  }),
);

/**
 * Returns the data of a client with a choice between all variants for each setting that is the word `unknown`.
 *
 * @param path the path of the value in the data, for example `find.folders.0.hidden`
 */
export function withChoices(value: unknown, path = ''): unknown {
  if (value === 'unknown') return { oneOf: variantsOf(path), because: 'unknown' } satisfies Choice<unknown>;
  if (typeof value !== 'object' || value === null || 'oneOf' in value) return value;
  if (Array.isArray(value)) return value.map((one, at) => withChoices(one, `${path}.${at}`));
  const copy: Record<string, unknown> = { ...value };
  for (const key in copy) copy[key] = withChoices(copy[key], path === '' ? key : `${path}.${key}`);
  return copy;
}

/** Returns the variants of a setting. A folder and a rule of `admit` have settings of the whole step. */
const variantsOf = (path: string): readonly unknown[] =>
  VARIANTS.get(path.replace(/^find\.folders\.\d+/, 'find').replace(/^admit\.rules\.\d+\.answers/, 'admit.usually')) ??
  [];
