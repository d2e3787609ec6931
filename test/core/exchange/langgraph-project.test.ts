/** The files of a project for LangGraph's server: data of authors stays data, and packages compose as before. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { createComposer } from '../../../server/src/composer/compose.ts';
import { closureOf } from '../../../server/src/composer/prepare.ts';
import {
  exportPackages,
  exportShape,
  fileNames,
  importPackages,
  importShape,
  projectFiles,
} from '../../../server/src/exchange/langgraph-project.ts';
import { soundSamples } from '../../properties/corpus.ts';
import { requestFor } from '../composer/shapes.ts';

const composer = createComposer();
const files = Object.fromEntries(soundSamples);
const HOSTILE = `a"b'c\`$\{1}*/</script>\u2028\n__proto__`;

describe('a skill that is written as JSON and read again', () => {
  it('composes the same prompt and the same shape', () => {
    for (const name of ['prepare-scene', 'draft-scene-outline', 'search-canon', 'build-chronology']) {
      const { request, composition } = composed(name);
      const exported = exportPackages(request.skillPackage, (uri) => uri);
      const skillPackage = importPackages(JSON.parse(JSON.stringify(exported)));
      const after = composer.compose({ ...request, skillPackage });
      assert.ok(after.ok, name);
      assert.deepEqual(after.composition, composition, name);
    }
  });

  it('contains each composed skill once, and no path of the machine', () => {
    const { skillPackage } = composed('prepare-scene').request;
    const packages = [...closureOf(skillPackage)];
    const nameOf = fileNames(packages.map(({ uri }) => uri));
    const exported = exportPackages(skillPackage, nameOf);
    assert.equal(exported.length, packages.length);
    assert.doesNotMatch(JSON.stringify(exported), /file:/);
    assert.equal(exported[0]?.uri, 'scenes/prepare-scene.skill.md');
  });

  it('keeps names such as `__proto__`', () => {
    const text =
      '---\nname: a\ndescription: Does.\ninput_schema: {__proto__: string, constructor: string}\n---\n\nDo.\n';
    const { skillPackage } = requestFor({ 'a.skill.md': text }, 'a.skill.md');
    const read = importPackages(JSON.parse(JSON.stringify(exportPackages(skillPackage, (uri) => uri))));
    assert.deepEqual(Object.keys((read.inputSchema?.json.properties ?? {}) as object), ['__proto__', 'constructor']);
  });
});

it('names files below the folder that contains all of them', () => {
  const nameOf = fileNames(['file:///w/skills/a%20b.skill.md', 'file:///w/contracts/c.skill.yaml']);
  assert.equal(nameOf('file:///w/skills/a%20b.skill.md'), 'skills/a b.skill.md');
  assert.equal(fileNames(['file:///w/skills/a.skill.md'])('file:///w/skills/a.skill.md'), 'a.skill.md');
});

it('a shape has files and ranges in JSON, and is the same shape for the engine', () => {
  const { composition } = composed('prepare-scene');
  const shape = exportShape(
    composition.subgraph,
    (uri) => uri,
    () => '',
  );
  assert.doesNotMatch(JSON.stringify(shape), /"uri"|"span"/);
  const without = (value: unknown) => JSON.parse(JSON.stringify(value, (key, one) => (key === 'span' ? null : one)));
  assert.deepEqual(without(importShape(JSON.parse(JSON.stringify(shape)))), without(composition.subgraph));
});

it('only the JSON files and the type of the tools contain text of authors', () => {
  const { request, composition } = composed('draft-scene-outline');
  const made = projectFiles({
    name: 'a',
    shape: exportShape(
      composition.subgraph,
      () => HOSTILE,
      () => '',
    ),
    skill: {
      packages: exportPackages(request.skillPackage, () => HOSTILE),
      request: { ...request, userRequest: HOSTILE },
    },
    samples: [{ name: HOSTILE }],
    tools: [HOSTILE, 'read_page'],
    runtime: '// The runtime.\n',
    version: '1.0.0',
    dependencies: new Map([['ajv', '8.20.0']]),
  });
  for (const { path, text } of made) {
    if (path.endsWith('.json')) JSON.parse(text);
    assert.doesNotMatch(text, /\u2028/, path);
    assert.equal(text.includes('</script>'), /\.json$|\.d\.ts$/.test(path) && text.includes('a\\"b'), path);
  }
  const types = made.find(({ path }) => path === 'skill/runtime.d.ts')?.text ?? '';
  const [, names = ''] = /^export type ToolName = (.*);$/m.exec(types) ?? [];
  assert.deepEqual(
    names.split(' | ').map((name) => JSON.parse(name)),
    [HOSTILE, 'read_page'],
  );
});

/** Returns the request of a skill's first sample, or with a query, and its composition. */
function composed(name: string) {
  const path = [...soundSamples.keys()].find((one) => one.includes(`/${name}.`)) ?? '';
  const [sample] = requestFor(files, path).skillPackage.samples;
  const invocation = sample ? { sample: sample.name } : { parameters: { query: 'gate' } };
  const request = { ...requestFor(files, path, invocation), places: undefined };
  const result = composer.compose(request);
  assert.ok(result.ok, name);
  return { request, composition: result.composition };
}
