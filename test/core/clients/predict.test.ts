/** The prediction of all steps for several files, and the place of each reason. `|` is the place in a file. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { Explainer } from '../../../server/src/clients/pipeline/explain.ts';
import { type ClientFile, textFile } from '../../../server/src/clients/pipeline/file.ts';
import { placeIn, rootsOf } from '../../../server/src/clients/pipeline/find.ts';
import type { Pipeline } from '../../../server/src/clients/pipeline/pipeline.ts';
import { pipelines } from '../../../server/src/clients/pipeline/pipelines.ts';
import {
  isLost,
  Loader,
  predict,
  predictOne,
  type Surroundings,
} from '../../../server/src/clients/pipeline/predict.ts';
import { readingsOf, ruleSetOf } from '../../../server/src/clients/pipeline/read.ts';
import type { Keys } from '../../../server/src/clients/pipeline/reading.ts';

const PLACE = { start: '/w', repository: '/w', home: '/h' };

const client = (id: string): Pipeline => {
  const one = pipelines.find((pipeline) => pipeline.id === id);
  assert.ok(one, id);
  return one;
};

const skill = (name: string, description = 'Tidies notes.'): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n\n# Notes\n`;

/** Returns the results for each path: the entry, or the code of the reason. */
function results(
  pipeline: Pipeline,
  files: Readonly<Record<string, string>>,
): Readonly<Record<string, readonly string[]>> {
  const all = Object.entries(files).map(([path, text]) => textFile(path, text));
  const predictions = [...predict(pipeline, all, PLACE)];
  return Object.fromEntries(
    predictions.map(([path, found]) => [
      path,
      (found ?? []).map(({ value }) =>
        isLost(value) ? value.code : (value.entry ?? value.admitted.hidden?.code ?? 'no'),
      ),
    ]),
  );
}

describe('a prediction', () => {
  it('has the entry of each skill, or the step that ends it', () => {
    assert.deepEqual(
      results(client('codex'), {
        '/w/.agents/skills/a/SKILL.md': skill('a'),
        '/w/.agents/skills/b/SKILL.md': '# No frontmatter\n',
        '/w/.agents/skills/c/SKILL.md': skill('c', '[Tidies]: notes'),
        '/w/.claude/skills/d/SKILL.md': skill('d'),
        '/w/.agents/skills/.e/SKILL.md': skill('e'),
      }),
      {
        '/w/.agents/skills/a/SKILL.md': ['- a: Tidies notes. (file: r1/a/SKILL.md)'],
        '/w/.agents/skills/b/SKILL.md': ['open/no-frontmatter'],
        '/w/.agents/skills/c/SKILL.md': ['- c: [Tidies]: notes (file: r1/c/SKILL.md)'],
        '/w/.claude/skills/d/SKILL.md': ['find/folder'],
        '/w/.agents/skills/.e/SKILL.md': ['find/hidden'],
      },
    );
  });

  it('has one winner of three equal names, or all possible ones', () => {
    const files = {
      '/h/.agents/skills/n/SKILL.md': skill('n', 'Home.'),
      '/w/.claude/skills/n/SKILL.md': skill('n', 'Claude.'),
      '/w/.agents/skills/n/SKILL.md': skill('n', 'Agents.'),
    };
    const listed = (id: string) =>
      Object.values(results(client(id), files)).map((found) =>
        found.map((one) => /(Home|Claude|Agents)\./.exec(one)?.[1] ?? one.slice(one.indexOf('/') + 1)).join(' or '),
      );
    assert.deepEqual(listed('copilot-cli'), ['equal-name', 'equal-name', 'Agents']);
    assert.deepEqual(listed('kilo-code'), ['equal-name', 'equal-name', 'Agents']);
    assert.deepEqual(listed('opencode'), ['Home or equal-name', 'equal-name or Claude', 'equal-name or Agents']);
  });

  it('is sure if all values of an unknown setting lead to it, and names the setting otherwise', () => {
    const pi = client('pi');
    const hidden = { oneOf: [true, false], because: 'unknown' } as const;
    const unknown = { ...pi, find: { ...pi.find, hidden } };
    const [sure] = predict(unknown, [textFile('/w/.pi/skills/a/SKILL.md', skill('a'))], PLACE).values();
    assert.deepEqual(
      sure?.map(({ picks }) => picks),
      [[[]]],
    );
    const [split] = predict(unknown, [textFile('/w/.pi/skills/.a/SKILL.md', skill('a'))], PLACE).values();
    assert.deepEqual(
      split?.map(({ value, picks }) => [isLost(value), picks]),
      [true, false].map((value) => [!value, [[{ setting: 'find.hidden', value, because: 'unknown' }]]]),
    );
  });

  it('names the settings for which a file is read differently', () => {
    const pi = client('pi');
    const bom = { oneOf: ['skip', 'keep'], because: 'unknown' } as const;
    const [found] = predict(
      { ...pi, open: { ...pi.open, bom } },
      [textFile('/w/.pi/skills/a/SKILL.md', `\uFEFF${skill('a')}`)],
      PLACE,
    ).values();
    assert.deepEqual(
      found?.map(({ value, picks }) => [isLost(value) ? value.code : value.name, picks]),
      [
        ['a', [[{ setting: 'open.bom', value: 'skip', because: 'unknown' }]]],
        ['open/bom', [[{ setting: 'open.bom', value: 'keep', because: 'unknown' }]]],
      ],
    );
  });

  it('does not show a skill that needs a condition', () => {
    const text = skill('a').replace('\n---\n\n', '\npaths:\n  - "src/**"\n---\n\n');
    const [found] = predict(client('claude-code'), [textFile('/w/.claude/skills/a/SKILL.md', text)], PLACE).values();
    const value = found?.[0]?.value;
    assert.ok(value && !isLost(value));
    assert.deepEqual(
      [value.admitted.listed, value.admitted.hidden],
      ['if-file-matches', { code: 'admit/key', key: 'paths' }],
    );
  });
});

describe('the prediction of one file', () => {
  /** Files of one name that the client reads in two ways, and the number of them that it has read. */
  const twofold = (count: number) => {
    const read = new Set<string>();
    const files = Array.from({ length: count }, (_, at): ClientFile => {
      const file = textFile(`/w/.agents/skills/a${at}/SKILL.md`, skill('a', `Tidies ${at}.`));
      const { path, readings } = file;
      const other = textFile(path, skill('a', 'Sorts notes.')).readings;
      const both = (pipeline: Pipeline) => [...(readings(pipeline) ?? []), ...(other(pipeline) ?? [])];
      const readBoth = () => {
        read.add(path);
        return both(client('codex'));
      };
      return { ...file, readings: readBoth };
    });
    return { files, read };
  };
  const around = (): Surroundings => ({
    place: PLACE,
    placeOf: ({ path }) => placeIn(path, rootsOf(client('codex').find, PLACE)),
    skillsIn: () => [],
    nameOfRoot: () => 'r0',
  });
  const predictFirst = (files: readonly ClientFile[], [first] = files) =>
    first && predictOne(new Loader(client('codex'), around()), first, files, { entries: false });

  it('has all combinations of the readings of other files', () => {
    const { files, read } = twofold(4);
    assert.equal(predictFirst(files)?.flatMap(({ picks }) => picks).length, 2 ** 4);
    assert.equal(read.size, 4);
  });

  it('reads no more files when their readings have too many combinations', () => {
    const { files, read } = twofold(40);
    assert.equal(predictFirst(files), undefined);
    // The file itself, and ten others: 2 ** 10 is more than 512.
    assert.equal(read.size, 11);
  });
});

describe('a stored reading', () => {
  it('is the reading of a text by the same client', () => {
    const rules = ruleSetOf(pipelines);
    const texts = [skill('a'), skill('a', '|\n  Sorts.\n\n  Use it.'), skill('a', 'Sorts: a'), '# No frontmatter\n'];
    for (const text of texts) {
      const readings = readingsOf(text, rules);
      pipelines.forEach((pipeline, index) => {
        const own = readings.filter(({ clients }) => clients.has(index)).map(({ reading }) => reading);
        const expected = textFile('/w/a/SKILL.md', text).readings(pipeline) ?? [];
        const description = (one: object) =>
          'keys' in one ? (one.keys as Keys['keys']).get('description')?.value : one;
        const codes = (all: readonly object[]) =>
          all.map((one) => String('code' in one ? one.code : description(one))).sort();
        assert.deepEqual(codes(own), codes(expected.map(({ value }) => value)), `${pipeline.id} ${text}`);
      });
    }
  });
});

describe('the place of a reason', () => {
  /** Returns the code of the reason, and the file with `|` at its place. */
  function place(id: string, text: string): string {
    const [found] = predict(
      client(id),
      [textFile(`/w/${client(id).find.folders.find(({ at }) => at !== 'home')?.path}/a/SKILL.md`, text)],
      PLACE,
    ).values();
    const value = found?.[0]?.value;
    assert.ok(value);
    const stop = isLost(value) ? value : value.admitted.hidden;
    if (!stop) return 'listed';
    const { step, code, at } = new Explainer(text).explain(client(id), stop, found?.[0]?.picks[0]);
    assert.equal(code.startsWith(`${step}/`), true);
    return `${code} ${text.slice(0, at)}|${text.slice(at)}`;
  }

  it('is the closing line that does not close', () => {
    assert.equal(
      place('pi', '---\nname: a\ndescription: D\n...\n\nBody.\n'),
      'open/unclosed ---\nname: a\ndescription: D\n|...\n\nBody.\n',
    );
  });

  it('is the second key, the colon, or the value', () => {
    assert.equal(
      place('pi', '---\nname: a\ndescription: D\nname: b\n---\n'),
      'parse/duplicate-key ---\nname: a\ndescription: D\n|name: b\n---\n',
    );
    assert.equal(
      place('pi', '---\nname: a\ndescription: Sorts: D\n---\n'),
      'parse/colon ---\nname: a\ndescription: Sorts|: D\n---\n',
    );
    assert.equal(
      place('copilot-cli', '---\nname: 12\ndescription: D\n---\n'),
      'fields/type ---\nname: |12\ndescription: D\n---\n',
    );
    assert.equal(
      place('pi', '---\nname: a\ndescription: D\ndisable-model-invocation: true\n---\n'),
      'admit/key ---\nname: a\ndescription: D\ndisable-model-invocation: |true\n---\n',
    );
  });

  it('is the start of the keys if a required one is missing', () => {
    assert.equal(place('opencode', '---\ndescription: D\n---\n'), 'fields/missing ---\n|description: D\n---\n');
  });

  it('is the reason why the keys were not used', () => {
    assert.equal(
      place('opencode', '\n---\nname: a\ndescription: D\n---\n'),
      'open/before |\n---\nname: a\ndescription: D\n---\n',
    );
  });
});
