/** The data of the clients' steps has a closed shape, and names only variants that the code has. */
import { strict as assert } from 'node:assert';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { knownOf } from '../../../server/src/clients/pipeline/pipeline.ts';
import { pipelines } from '../../../server/src/clients/pipeline/pipelines.ts';
import { VARIANTS } from '../../../server/src/clients/pipeline/variants.ts';

const FOLDER = join('server', 'src', 'clients', 'pipeline', 'data');

/** Returns the data of a client, with the steps that it has from another one. */
function read(id: string): object {
  const { extends: base, ...own } = JSON.parse(readFileSync(join(FOLDER, `${id}.json`), 'utf8')) as {
    extends?: string;
  };
  return { ...(base !== undefined && read(base)), ...own };
}

const words = { type: 'string', minLength: 1 };
const list = (items: object) => ({ type: 'array', items });
const map = (additionalProperties: object) => ({ type: 'object', additionalProperties });
const closed = (properties: Readonly<Record<string, object>>, optional: readonly string[] = []) => ({
  type: 'object',
  additionalProperties: false,
  required: Object.keys(properties).filter((key) => !optional.includes(key)),
  properties,
});

/** The values of settings that are not one of the variants. */
const OPEN: Readonly<Record<string, object>> = {
  'find.depth': { type: ['integer', 'null'], minimum: 1 },
  'find.leftOut': list(words),
  'plugins.depth': { type: ['integer', 'null'], minimum: 1 },
  'find.maxBytes': { type: ['integer', 'null'], minimum: 1 },
  'fields.name.cut': { type: ['integer', 'null'], minimum: 1 },
  'fields.keys': list(words),
  'fields.name.max': { type: ['integer', 'null'], minimum: 1 },
  'fields.description.max': { type: ['integer', 'null'], minimum: 1 },
  'fields.name.pattern': { type: ['string', 'null'], format: 'regex' },
  'fields.name.label': { type: ['string', 'null'], format: 'regex' },
  'fields.name.empty': closed({ text: words }),
  'fields.description.empty': closed({ text: words }),
  'fields.description.missing': closed({ text: words }),
  ...Object.fromEntries(
    ['deliver.model', 'deliver.person'].flatMap((path) => [
      [`${path}.files.leftOut`, list(words)],
      [`${path}.files.folders`, list(words)],
      [`${path}.files.most`, { type: ['integer', 'null'], minimum: 1 }],
    ]),
  ),
  'entry.replaces': words,
  'admit.usually': { enum: ['if-trusted', 'if-approved', 'if-file-matches', 'if-file-below'] },
};

/** The functions and places that are no settings: operations, conditions, places of folders, texts for a description. */
const OTHER_NAMES = [
  ...['join', 'cut', 'cut-middle', 'fold', 'breaks', 'trim', 'tags', 'well-formed', 'first-line'],
  ...['true', 'false', 'written', 'not-empty', 'missing', 'no-text'],
  ...['start', 'upward', 'downward', 'repository', 'below', 'home', 'anywhere', 'system', 'upload'],
  ...['if-approved', 'if-file-matches'],
  ...['list', 'tree', 'rule', 'option', 'ends', 'lines'],
];

/** The libraries of clients whose steps are not described yet. */
const NOT_USED = ['js-yaml-4-1'];

/** Returns the schema of a setting: a value, several of them, or the word for all variants. */
function setting(path: string, open = OPEN[path]): object {
  const value = { anyOf: [{ enum: VARIANTS.get(path) }, ...(open ? [open] : [])] };
  const because = { enum: ['unknown', 'varies', 'setting', 'mode'] };
  return { anyOf: [value, { const: 'unknown' }, closed({ oneOf: { ...list(value), minItems: 2 }, because })] };
}

/** Returns the schemas of the settings directly below a path. */
const settings = (path: string): Readonly<Record<string, object>> =>
  Object.fromEntries(
    [...VARIANTS.keys()]
      .filter((one) => one.startsWith(`${path}.`) && !one.slice(path.length + 1).includes('.'))
      .map((one) => [one.slice(path.length + 1), setting(one)]),
  );

const ANSWERS = Object.fromEntries(
  ['listed', 'model', 'person', 'permission'].map((key) => [
    key,
    setting(`admit.usually.${key}`, OPEN['admit.usually']),
  ]),
);
const TYPES = ['string', 'number', 'boolean', 'date', 'list', 'map', 'null'];
const OVERRIDES = ['root', 'depth', 'hidden', 'flat'];
const { find } = { find: settings('find') };

/** Returns the schema of one kind of call. */
const call = (path: string): object =>
  closed(
    {
      by: { type: ['string', 'null'] },
      text: { type: ['string', 'null'] },
      bare: { type: ['string', 'null'] },
      parts: closed({ description: words, files: words, arguments: words }, ['description', 'files', 'arguments']),
      files: closed(
        {
          each: words,
          by: words,
          form: { enum: ['list', 'tree'] },
          skill: { type: 'boolean' },
          more: words,
          title: words,
          dense: closed({ most: { type: 'integer' }, title: words, each: words }),
          ...settings(`${path}.files`),
        },
        ['more', 'title', 'dense'],
      ),
      limits: list(
        closed(
          {
            characters: { type: 'integer', minimum: 1 },
            bytes: { type: 'integer', minimum: 1 },
            lines: { type: 'integer', minimum: 1 },
            keeps: { enum: ['start', 'ends', 'halves', 'lines'] },
            to: { type: 'integer', minimum: 1 },
            mark: words,
            text: words,
            textForLines: words,
          },
          ['characters', 'bytes', 'lines', 'to', 'mark', 'textForLines'],
        ),
      ),
      masks: list({ type: 'string', format: 'regex' }),
      ...settings(path),
    },
    ['bare', 'parts', 'files', 'limits', 'masks'],
  );

const SCHEMA = closed(
  {
    id: words,
    name: words,
    sources: map(closed({ where: words, checked: { type: 'string', pattern: '^\\d{4}-\\d{2}-\\d{2}$' } })),
    known: map(
      closed({ source: words, certainty: { enum: ['partial', 'unverified'] }, note: words }, ['certainty', 'note']),
    ),
    find: closed(
      {
        folders: list(
          closed(
            {
              scope: { enum: ['project', 'user', 'system', 'upload'] },
              path: words,
              at: { enum: ['start', 'upward', 'downward', 'repository', 'below', 'home', 'anywhere'] },
              conditional: { const: true },
              ...Object.fromEntries(OVERRIDES.map((key) => [key, find[key] as object])),
            },
            [...OVERRIDES, 'conditional'],
          ),
        ),
        ...find,
      },
      ['doubleSpaces', 'maxBytes'],
    ),
    plugins: closed(
      {
        manifests: { ...list(words), minItems: 1 },
        marketplaces: list(words),
        own: { ...list(words), minItems: 1 },
        installed: words,
        required: list({ enum: ['name', 'version'] }),
        names: { type: 'string', format: 'regex' },
        readsBroken: { type: 'boolean' },
        key: { enum: ['adds', 'replaces', 'ignored'] },
        form: { enum: ['dot', 'dot-below', 'any'] },
        invalid: { enum: ['plugin', 'key', 'path'] },
        copies: list(words),
        scope: { enum: ['plugin', 'extension'] },
        name: { enum: ['bare', 'prefixed', 'prefixed-ascii'] },
        prefixesOwn: { const: true },
        inPlace: { const: true },
        commandsFirst: { const: true },
        ...settings('plugins'),
      },
      ['copies', 'prefixesOwn', 'inPlace', 'commandsFirst'],
    ),
    open: closed({ ...settings('open'), dropsEmpty: { const: true } }, ['crlf', 'dropsEmpty']),
    parse: closed(settings('parse')),
    fields: closed(
      {
        name: closed({ ...settings('fields.name'), reserved: list(words), reservedWords: list(words) }, [
          'cut',
          'trims',
          'reservedWords',
        ]),
        description: closed(settings('fields.description'), ['trims', 'refusesTags']),
        values: map(list(words)),
        lengths: map({ type: 'integer' }),
        types: map(list({ enum: TYPES })),
        ...settings('fields'),
      },
      ['counts', 'scalars', 'keys', 'values', 'lengths'],
    ),
    resolve: closed({ ...settings('resolve'), plugins: { const: 'prefixed' } }, ['sameFile', 'plugins']),
    admit: closed(
      {
        usually: closed(ANSWERS),
        rules: list(
          closed({
            key: words,
            when: { enum: ['true', 'false', 'written', 'not-empty', 'missing', 'no-text'] },
            answers: closed(ANSWERS, Object.keys(ANSWERS)),
          }),
        ),
        openAi: { const: true },
        ...settings('admit'),
      },
      ['openAi'],
    ),
    entry: closed(
      {
        text: list({
          anyOf: [
            closed({ do: { const: 'join' }, key: words, by: words, takes: { const: 'value' } }, ['takes']),
            closed({ do: { enum: ['cut', 'cut-middle'] }, to: { type: 'integer' }, mark: { type: 'string' } }),
            closed({ do: { enum: ['fold', 'breaks', 'trim', 'tags', 'well-formed', 'first-line'] } }),
          ],
        }),
        line: { type: ['string', 'null'] },
        short: words,
        others: map(
          closed(
            {
              keys: map({ type: 'string' }),
              words: { type: 'boolean' },
              cuts: map({ type: 'integer', minimum: 1 }),
              before: { type: 'string' },
              by: words,
              after: { type: 'string' },
            },
            ['cuts'],
          ),
        ),
        labelled: words,
        escaped: list({ enum: ['name', 'description', 'path', 'directory'] }),
        ...settings('entry'),
      },
      ['short', 'labelled', 'counts', 'others', 'replaces'],
    ),
    deliver: closed(
      {
        model: call('deliver.model'),
        person: call('deliver.person'),
        permission: closed(
          {
            command: words,
            by: { enum: ['rule', 'option', 'trust'] },
            allow: words,
            gives: words,
            ...settings('deliver.permission'),
          },
          ['gives'],
        ),
      },
      ['permission'],
    ),
    silent: list(words),
    warns: closed({ name: { type: 'object' }, description: { type: 'object' } }, ['name', 'description']),
    uploads: { const: true },
  },
  ['plugins', 'deliver', 'silent', 'warns', 'uploads'],
);

describe('the data of steps', () => {
  const ajv = new Ajv2020({ allErrors: true, allowUnionTypes: true, strictTypes: false, formats: { regex: true } });
  const isClient = ajv.compile(SCHEMA);

  for (const { id } of pipelines) {
    it(`of ${id} matches the schema`, () => {
      isClient(read(id));
      assert.deepEqual(isClient.errors ?? [], []);
    });
  }

  it('does not allow unknown settings or variants', () => {
    const pi = read('pi') as { readonly find: object };
    assert.equal(isClient({ ...pi, find: { ...pi.find, mood: 'good' } }), false);
    assert.equal(isClient({ ...pi, find: { ...pi.find, fileName: 'roughly' } }), false);
    assert.equal(isClient({ ...pi, find: { ...pi.find, fileName: 'unknown' } }), true);
  });

  it('includes every file of the folder', () => {
    const files = readdirSync(FOLDER).map((name) => name.replace(/\.json$/, ''));
    assert.deepEqual(files.sort(), pipelines.map(({ id }) => id).sort());
  });

  it('has a source for each step, and uses every source', () => {
    for (const pipeline of pipelines) {
      const steps = ['find', 'open', 'parse', 'fields', 'resolve', 'admit', 'entry'];
      if (pipeline.deliver) steps.push('deliver');
      for (const step of steps) assert.ok(pipeline.sources[knownOf(pipeline, `${step}.x`)?.source ?? ''], pipeline.id);
      const used = new Set(Object.values(pipeline.known).map(({ source }) => source));
      assert.deepEqual([...used].sort(), Object.keys(pipeline.sources).sort(), pipeline.id);
    }
  });

  it('has no choices that are the word `unknown` in the loaded clients', () => {
    assert.doesNotMatch(JSON.stringify(pipelines), /:"unknown"(?!\}|,"certainty)/);
  });

  it('uses every variant that is a function', () => {
    const written = JSON.stringify(pipelines.map(({ id }) => read(id)));
    const names = [...VARIANTS.values()]
      .flat()
      .filter((variant) => typeof variant === 'string' && !variant.startsWith('^'));
    const unused = [...new Set([...names, ...OTHER_NAMES])].filter((name) => !written.includes(`"${name}"`));
    assert.deepEqual(unused, NOT_USED);
  });
});
