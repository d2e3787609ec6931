/** Laws of the clients' steps: they are pure, and what is sure without any knowledge is so in every client. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Call, deliver } from '../../server/src/clients/pipeline/deliver.ts';
import { Explainer } from '../../server/src/clients/pipeline/explain.ts';
import { type ClientFile, textFile } from '../../server/src/clients/pipeline/file.ts';
import type { Pipeline } from '../../server/src/clients/pipeline/pipeline.ts';
import { pipelines } from '../../server/src/clients/pipeline/pipelines.ts';
import { isLost, predict } from '../../server/src/clients/pipeline/predict.ts';
import { resultsOf } from '../../server/src/clients/pipeline/setting.ts';
import { VARIANTS, withChoices } from '../../server/src/clients/pipeline/variants.ts';
import { cases } from '../random.ts';

const PLACE = { start: '/w/app', repository: '/w', home: '/h/me' };

const line = fc.oneof(
  fc.constantFrom(
    '---',
    '...',
    ' ---',
    '----',
    'name: tidy-notes',
    'name: Tidy Notes',
    'name: 12',
    'name:',
    'description: Tidies notes.',
    'description: Tidies: notes',
    'description: ""',
    'description: [a]',
    'description: >',
    '  folded',
    'disable-model-invocation: yes',
    'paths: [a]',
    'allowed-tools: []',
    '\tmetadata: [a',
    '__proto__: {a: 1}',
    'constructor: 1',
    '',
    '\uFEFF---',
    '# Title',
  ),
  fc.string({ maxLength: 30, unit: 'grapheme' }).map((text) => text.replace(/[\r\n]/g, '')),
);
const text = fc
  .tuple(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n', '\r'), fc.boolean())
  .map(([lines, end, isWhole]) => [...(isWhole ? ['---', 'name: tidy-notes'] : []), ...lines].join(end));
const path = fc
  .tuple(
    fc.constantFrom('/w/app', '/w', '/h/me', '/w/app/below'),
    fc.constantFrom('.agents/skills', '.claude/skills', '.pi/skills', 'skills', 'other'),
    fc.constantFrom('tidy-notes/', 'Tidy/', '.hidden/', 'group/tidy-notes/', 'node_modules/a/', ''),
    fc.constantFrom('SKILL.md', 'skill.md', 'README.md', 'tidy.md'),
  )
  .map(([base, folder, own, name]) => `${base}/${folder}/${own}${name}`);
const link = fc.option(
  fc.record({
    folder: fc.boolean(),
    file: fc.boolean(),
    target: fc.constantFrom('/w/x.md', '/w/app/.agents/skills/y/SKILL.md'),
  }),
  { nil: undefined },
);
const files = fc
  .uniqueArray(fc.tuple(path, text, link), { minLength: 1, maxLength: 6, selector: ([one]) => one })
  .map((all) => all.map(([one, content, links]) => ({ file: textFile(one, content, links), content })));

/** Returns predictions as text, sorted by path. */
const shown = (client: Pipeline, all: readonly ClientFile[]): string =>
  JSON.stringify([...predict(client, all, PLACE)].sort(([a], [b]) => (a < b ? -1 : 1)));

const calls = fc.record({
  kind: fc.constantFrom<Call>('model', 'person'),
  arguments: fc.constantFrom('', 'red blue', '$1 {content}'),
  bodyStart: fc.nat({ max: 40 }),
  files: fc.uniqueArray(fc.constantFrom('a.md', 'b/c.md', '.d/e', 'node_modules/f', 'b/...', 'g$&'), { maxLength: 6 }),
});

/** Returns a text without white space. */
const packed = (one: string): string => one.replace(/\s/g, '');

describe('the delivered text', () => {
  it('contains the characters of the file or its body, in their order, without a change', () => {
    const clients = pipelines.filter(({ deliver: rules }) => rules !== undefined);
    fc.assert(
      fc.property(text, fc.constantFrom(...clients), calls, (content, client, { kind, bodyStart, ...rest }) => {
        const at = Math.min(bodyStart, content.length);
        const skill = { ...{ name: 'tidy', path: '/w/app/skills/tidy/SKILL.md', scope: 'project' }, files: rest.files };
        const results = resultsOf((ask) => {
          const called = { ...skill, text: content, bodyStart: at };
          return client.deliver && deliver(client.deliver, kind, called, { text: rest.arguments }, PLACE, ask);
        });
        for (const { value } of results ?? []) {
          const whole = value?.gives === 'body' ? content.slice(at) : content;
          if (value && value.content !== '') assert.equal(packed(value.content), packed(whole));
        }
      }),
      cases(1_000),
    );
  });
});

describe('the steps of a client', () => {
  it('never throw, are pure, and do not depend on the order of the files', () => {
    fc.assert(
      fc.property(files, fc.constantFrom(...pipelines), (all, client) => {
        const found = all.map(({ file }) => file);
        const first = shown(client, found);
        assert.equal(shown(client, found), first);
        assert.equal(shown(client, [...found].reverse()), first);
      }),
      cases(2_000),
    );
  });

  it('have a place in the file for every reason', () => {
    fc.assert(
      fc.property(files, fc.constantFrom(...pipelines), (all, client) => {
        const predictions = predict(
          client,
          all.map(({ file }) => file),
          PLACE,
        );
        for (const { file, content } of all) {
          for (const { value, picks } of predictions.get(file.path) ?? []) {
            const stop = isLost(value) ? value : value.admitted.hidden;
            if (!stop) continue;
            const { at, step } = new Explainer(content).explain(client, stop, picks[0]);
            assert.ok(at >= 0 && at <= content.length, `${step} ${at}`);
          }
        }
      }),
      cases(2_000),
    );
  });

  it('lose a skill in every client if they lose it in a client of which nothing is known', () => {
    const folders = [
      { scope: 'project', path: '.agents/skills', at: 'start' },
      { scope: 'user', path: '.agents/skills', at: 'home' },
    ] as const;
    const nothing = unknownIn(pipelines[0] as Pipeline, folders);
    const isOf = (parse: Pipeline['parse']): boolean =>
      DIALECTS.includes(String(parse.dialect)) && REPAIRS.includes(String(parse.repair));
    const clients = pipelines.filter(({ parse }) => isOf(parse));
    fc.assert(
      fc.property(files, fc.constantFrom(...clients), (all, client) => {
        const found = all.map(({ file }) => file);
        const sure = predict(nothing, found, PLACE);
        const actual = predict({ ...client, find: { ...client.find, folders } }, found, PLACE);
        for (const [one, results] of sure) {
          const isSure = results?.every(({ value }) => isLost(value)) ?? false;
          if (isSure) for (const { value } of actual.get(one) ?? []) assert.ok(isLost(value), one);
        }
      }),
      cases(300),
    );
  });
});

/** The ways to parse of a client of which nothing is known. With all of them, a file takes a second. */
const DIALECTS = ['yaml', 'js-yaml-4', 'lines-openai'];
const REPAIRS = ['none', 'quote-claude', 'lines-gemini'];

/** Returns a client with a choice between all variants of each setting. */
function unknownIn(client: Pipeline, folders: Pipeline['find']['folders']): Pipeline {
  const data: { -readonly [Key in keyof Pipeline]: Pipeline[Key] } = structuredClone({
    ...client,
    find: { ...client.find, folders },
  });
  for (const setting of VARIANTS.keys()) {
    // A skill that arrives was not lost.
    if (setting.startsWith('deliver.')) continue;
    const keys = setting.split('.');
    const last = keys.pop() ?? '';
    const parent = keys.reduce<Record<string, unknown>>(
      (part, key) => part[key] as Record<string, unknown>,
      data as never,
    );
    parent[last] = 'unknown';
  }
  data.parse = {
    ...data.parse,
    dialect: { oneOf: DIALECTS as never, because: 'unknown' },
    repair: { oneOf: REPAIRS as never, because: 'unknown' },
  };
  return withChoices({ ...data, fields: { ...data.fields, name: { ...data.fields.name, reserved: [] } } }) as Pipeline;
}
