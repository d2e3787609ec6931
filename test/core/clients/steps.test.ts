/** The steps of a client, one by one: paths, keys, equal names, answers and entries. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { admit } from '../../../server/src/clients/pipeline/admit.ts';
import { entryOf } from '../../../server/src/clients/pipeline/entry.ts';
import { readFields } from '../../../server/src/clients/pipeline/fields.ts';
import type { PathLinks } from '../../../server/src/clients/pipeline/file.ts';
import { findFile, placeIn, rootsOf, skillsAmong } from '../../../server/src/clients/pipeline/find.ts';
import type { Pipeline } from '../../../server/src/clients/pipeline/pipeline.ts';
import { pipelines } from '../../../server/src/clients/pipeline/pipelines.ts';
import type { Field, FieldValue, Keys, ReadSkill } from '../../../server/src/clients/pipeline/reading.ts';
import { type Loaded, LoadedSkills, labelIn, usedInstead } from '../../../server/src/clients/pipeline/resolve.ts';
import { type Ask, isChoice } from '../../../server/src/clients/pipeline/setting.ts';

const PLACE = { start: '/w/packages/web', repository: '/w', home: '/h' };

/** Answers no question: a test with it needs only known settings. */
const known: Ask = (setting, value) => {
  if (isChoice(value)) throw new Error(`asks for ${setting}`);
  return value;
};

const client = (id: string): Pipeline => {
  const one = pipelines.find((pipeline) => pipeline.id === id);
  assert.ok(one, id);
  return one;
};

const keysOf = (values: Readonly<Record<string, FieldValue>>): Keys['keys'] =>
  new Map(
    Object.entries(values).map(([key, value]) => [
      key,
      { value, ...((typeof value !== 'object' || value === null) && { text: String(value ?? '') }) },
    ]),
  );

describe('the step find', () => {
  /** Returns the path in the skills folder, or the reason why a client does not find a file. */
  const found = (
    id: string,
    path: string,
    { link, others = [] }: { link?: PathLinks; others?: readonly string[] } = {},
  ) => {
    const rules = client(id).find;
    const skillsIn = skillsAmong([path, ...others].map((one) => ({ path: one })));
    const placed = placeIn(path, rootsOf(rules, PLACE));
    const result = findFile(rules, { path, ...(link && { link }) }, placed, skillsIn, known);
    return 'code' in result ? result.code : result.rest;
  };

  it('reads the folders between the start and the root of the repository', () => {
    assert.equal(found('claude-code', '/w/packages/web/.claude/skills/a/SKILL.md'), 'a/SKILL.md');
    assert.equal(found('claude-code', '/w/packages/.claude/skills/a/SKILL.md'), 'a/SKILL.md');
    assert.equal(found('claude-code', '/h/.claude/skills/a/SKILL.md'), 'a/SKILL.md');
    assert.equal(found('gemini-cli', '/w/packages/web/.gemini/skills/a/SKILL.md'), 'a/SKILL.md');
    assert.equal(found('gemini-cli', '/w/.gemini/skills/a/SKILL.md'), 'find/folder');
    assert.equal(found('cline', '/w/.cline/skills/a/SKILL.md'), 'a/SKILL.md');
    assert.equal(found('cline', '/w/packages/web/.cline/skills/a/SKILL.md'), 'find/folder');
    assert.equal(found('claude-code', '/w/.claude/skillset/a/SKILL.md'), 'find/folder');
  });

  it('reads a file name exactly, in any case, or in two cases', () => {
    const at = (name: string) => `/w/packages/web/.agents/skills/a/${name}`;
    for (const id of ['deepagents', 'strands', 'google-adk']) assert.equal(found(id, at('SKILL.md')), 'a/SKILL.md');
    assert.equal(found('deepagents', at('skill.md')), 'find/file-name');
    assert.equal(found('strands', at('skill.md')), 'a/skill.md');
    assert.equal(found('strands', at('Skill.md')), 'find/file-name');
    assert.equal(found('google-adk', at('Skill.md')), 'a/Skill.md');
    assert.equal(found('google-adk', at('README.md')), 'find/file-name');
  });

  it('reads other files in some folders of Pi', () => {
    assert.equal(found('pi', '/w/packages/web/.pi/skills/a.md'), 'a.md');
    assert.equal(found('pi', '/w/packages/web/.pi/skills/group/a.md'), 'find/file-name');
    assert.equal(found('pi', '/w/.agents/skills/a.md'), 'find/file-name');
    assert.equal(found('pi', '/w/.agents/skills/group/a.md'), 'group/a.md');
    const others = ['/w/.agents/skills/group/SKILL.md'];
    assert.equal(found('pi', '/w/.agents/skills/group/a.md', { others }), 'find/file-name');
  });

  it('stops at a depth, at hidden folders and at folders that are left out', () => {
    assert.equal(found('claude-code', '/w/.claude/skills/group/a/SKILL.md'), 'find/depth');
    assert.equal(found('claude-code', '/w/.claude/skills/SKILL.md'), 'find/depth');
    assert.equal(found('codex', '/w/.agents/skills/group/a/SKILL.md'), 'group/a/SKILL.md');
    assert.equal(found('codex', '/w/.agents/skills/SKILL.md'), 'SKILL.md');
    assert.equal(found('codex', '/w/.agents/skills/.a/SKILL.md'), 'find/hidden');
    assert.equal(found('opencode', '/w/.opencode/skills/.a/SKILL.md'), 'find/hidden');
    assert.equal(found('opencode', '/w/.claude/skills/.a/SKILL.md'), '.a/SKILL.md');
    assert.equal(found('pi', '/w/.agents/skills/node_modules/a/SKILL.md'), 'find/left-out');
    assert.equal(found('claude-code', '/w/.claude/skills/a b/SKILL.md'), 'a b/SKILL.md');
    assert.equal(found('claude-code', '/w/.claude/skills/a  b/SKILL.md'), 'find/left-out');
    assert.equal(found('opencode', '/w/.opencode/skills/a  b/SKILL.md'), 'a  b/SKILL.md');
  });

  it('finds a skill below another one only in some clients', () => {
    const others = ['/w/.agents/skills/a/SKILL.md'];
    assert.equal(found('codex', '/w/.agents/skills/a/b/SKILL.md', { others }), 'a/b/SKILL.md');
    assert.equal(found('copilot-cli', '/w/.agents/skills/a/b/SKILL.md', { others }), 'find/below-skill');
    const root = { others: ['/w/.agents/skills/SKILL.md'] };
    assert.equal(found('copilot-cli', '/w/.agents/skills/a/SKILL.md', root), 'find/below-skill');
    assert.equal(found('droid', '/w/.agents/skills/a/SKILL.md', root), 'a/SKILL.md');
  });

  it('follows links to folders and to files as the client does', () => {
    const folder = { folder: true, file: false, target: '/w/shared/a/SKILL.md' };
    const file = { folder: false, file: true, target: '/w/shared/a.md' };
    const path = '/w/packages/web/.agents/skills/a/SKILL.md';
    assert.equal(found('codex', path, { link: folder }), 'a/SKILL.md');
    assert.equal(found('google-adk', path, { link: file }), 'find/link');
    assert.equal(found('openclaw', path, { link: folder }), 'find/link');
    const start = '/w/packages/web/.agents/skills/a/SKILL.md';
    const near = { folder: true, file: false, target: '/w/packages/web/shared/a/SKILL.md' };
    for (const id of ['deepagents', 'mastra']) {
      assert.equal(found(id, start, { link: near }), 'a/SKILL.md');
      assert.equal(found(id, start, { link: folder }), 'find/link');
    }
    const inside = { ...folder, target: '/w/packages/web/.agents/skills/b/SKILL.md' };
    assert.equal(found('openclaw', path, { link: inside }), 'a/SKILL.md');
  });

  it('follows a link that is the skills folder itself', () => {
    const path = '/w/packages/web/.claude/skills/a/SKILL.md';
    const target = '/w/shared/a/SKILL.md';
    const link = (first: string): PathLinks => ({ folder: true, file: false, first, target });
    assert.equal(found('continue-cli', path, { link: link('/w/packages/web/.claude/skills') }), 'a/SKILL.md');
    assert.equal(found('continue-cli', path, { link: link('/w/packages/web/.claude/skills/a') }), 'find/link');
    const agents = '/w/packages/web/.agents/skills';
    assert.equal(found('openai-agents', `${agents}/a/SKILL.md`, { link: link(agents) }), 'find/link');
    assert.equal(found('codex', `${agents}/a/SKILL.md`, { link: link(agents) }), 'a/SKILL.md');
  });

  it('reads each name that ends with `SKILL.md`', () => {
    const at = (name: string) => `/w/packages/web/.continue/skills/a/${name}`;
    assert.equal(found('continue', at('SKILL.md')), 'a/SKILL.md');
    assert.equal(found('continue', at('my-SKILL.md')), 'a/my-SKILL.md');
    assert.equal(found('continue', at('SKILL.mdx')), 'find/file-name');
    assert.equal(found('continue', at('skill.md')), 'find/file-name');
  });

  it('reads some folders only with a setting, and asks for it only there', () => {
    const asked: string[] = [];
    const on =
      (answer: string): Ask =>
      (setting, value) => {
        if (!setting.endsWith('.conditional')) return known(setting, value);
        asked.push(setting);
        return answer as never;
      };
    const junie = (folder: string, ask: Ask, name = 'SKILL.md') => {
      const rules = { ...client('junie').find, fileName: 'exact', hidden: true, flat: 'none' } as const;
      const path = `/w/packages/web/${folder}/a/${name}`;
      const result = findFile(rules, { path }, placeIn(path, rootsOf(rules, PLACE)), skillsAmong([{ path }]), ask);
      return 'code' in result ? result.code : result.rest;
    };
    assert.equal(junie('.junie/skills', known), 'a/SKILL.md');
    assert.equal(junie('.agents/skills', known, 'README.md'), 'find/file-name');
    assert.deepEqual(asked, []);
    assert.equal(junie('.agents/skills', on('yes')), 'a/SKILL.md');
    assert.equal(junie('.agents/skills', on('no')), 'find/setting');
    assert.deepEqual(asked, Array(2).fill('find.folders..agents/skills.conditional'));
  });

  it('reads folders whose names have a start', () => {
    const yes: Ask = (setting, value) => (setting.endsWith('.conditional') ? ('yes' as never) : known(setting, value));
    const roo = (path: string) => {
      const { find } = client('roo-code');
      const result = findFile(find, { path }, placeIn(path, rootsOf(find, PLACE)), skillsAmong([{ path }]), yes);
      return 'code' in result ? result.code : `${result.root} ${result.rest}`;
    };
    const base = '/w/packages/web/.roo';
    assert.equal(roo(`${base}/skills/a/SKILL.md`), `${base}/skills a/SKILL.md`);
    assert.equal(roo(`${base}/skills-code/a/SKILL.md`), `${base}/skills-code a/SKILL.md`);
    assert.equal(roo(`${base}/skills-/a/SKILL.md`), 'find/folder');
    assert.equal(roo(`${base}/skillset/a/SKILL.md`), 'find/folder');
    assert.equal(roo(`${base}/skills-code/SKILL.md`), 'find/depth');
  });

  it('has a depth for each folder', () => {
    const { find } = client('devin');
    const asked: string[] = [];
    const ask: Ask = (setting, value) => {
      asked.push(setting);
      return isChoice(value) ? (value.oneOf[0] as never) : value;
    };
    const depth = (folder: string) => {
      const path = `/w/packages/web/${folder}/group/a/SKILL.md`;
      const result = findFile(find, { path }, placeIn(path, rootsOf(find, PLACE)), skillsAmong([{ path }]), ask);
      return 'code' in result ? result.code : result.rest;
    };
    assert.equal(depth('.devin/skills'), 'find/depth');
    assert.equal(asked.includes('find.depth'), false);
    assert.equal(depth('.windsurf/skills'), 'find/depth');
    assert.ok(asked.includes('find.depth'));
  });

  it('reads any folder after an upload', () => {
    const { find } = client('claude-ai');
    const path = '/w/shelf/a/SKILL.md';
    const result = (answer: string) =>
      findFile(find, { path }, placeIn(path, rootsOf(find, PLACE)), skillsAmong([{ path }]), (setting, value) =>
        setting.endsWith('.conditional') ? (answer as never) : known(setting, value),
      );
    assert.deepEqual(result('no'), { code: 'find/setting' });
    assert.equal((result('yes') as { rest?: string }).rest, 'a/SKILL.md');
  });

  it('reads folders below the start only there', () => {
    const { find } = client('claude-code');
    const one = (path: string) =>
      findFile(find, { path }, placeIn(path, rootsOf(find, PLACE)), skillsAmong([{ path }]), known);
    assert.equal('code' in one('/w/packages/web/deep/.claude/skills/a/SKILL.md'), false);
    assert.deepEqual(one('/w/packages/other/.claude/skills/a/SKILL.md'), { code: 'find/folder' });
  });

  it('does not read a file that is too large', () => {
    const { find } = client('zed');
    const path = '/w/packages/web/.agents/skills/a/SKILL.md';
    const result = (bytes?: number) =>
      findFile(
        find,
        { path, ...(bytes && { bytes }) },
        placeIn(path, rootsOf(find, PLACE)),
        skillsAmong([{ path }]),
        known,
      );
    assert.equal('code' in result(), false);
    assert.equal('code' in result(102_400), false);
    assert.deepEqual(result(102_401), { code: 'find/too-large' });
  });

  it('prefers `SKILL.md` to `skill.md`', () => {
    const path = '/w/packages/web/.agents/skills/a/skill.md';
    const others = ['/w/packages/web/.agents/skills/a/SKILL.md'];
    assert.equal(found('strands', path, { others }), 'find/file-name');
    assert.equal(found('google-adk', path, { others }), 'a/skill.md');
  });
});

describe('the step fields', () => {
  /** Returns the name, the second name and the description, or the code and the key of the stop. */
  const fields = (
    id: string,
    values: Readonly<Record<string, FieldValue>>,
    body = '# A title\n\nA first\nparagraph.\n',
  ) => {
    const skill: ReadSkill = { keys: keysOf(values), body, isBodyEmpty: body.trim() === '' };
    const result = readFields(client(id).fields, '/w/.agents/skills/a/SKILL.md', skill, known);
    return 'code' in result
      ? [result.code, ...(result.key ? [result.key] : [])].join(' ')
      : [result.name, ...(result.label ? [`(${result.label})`] : []), result.description ?? 'none'].join(' ');
  };

  it('takes the name from the key, the folder, or both', () => {
    assert.equal(fields('pi', { name: 'b', description: 'D' }), 'b D');
    assert.equal(fields('pi', { description: 'D' }), 'a D');
    assert.equal(fields('pi', { name: 3, description: 'D' }), 'a D');
    assert.equal(fields('opencode', { description: 'D' }), 'fields/missing name');
    assert.equal(fields('claude-code', { name: 'b', description: 'D' }), 'a (b) D');
    assert.equal(fields('claude-code', { name: 'b c', description: 'D' }), 'a D');
    assert.equal(fields('claude-code', { name: 'anthropic-skills:b', description: 'D' }), 'fields/reserved name');
    assert.equal(fields('qwen-code', { name: ['b', 'c'], description: 'D' }), 'fields/pattern name');
    assert.equal(fields('qwen-code', { name: ['b'], description: 'D' }), 'b D');
  });

  it('checks and changes names', () => {
    assert.equal(fields('copilot-cli', { name: 'B c', description: 'D' }), 'B-c D');
    assert.equal(fields('copilot-cli', { name: ' B  c ', description: 'D' }), 'B-c D');
    assert.equal(fields('copilot-cli', { name: ' ', description: 'D' }), 'fields/pattern name');
    assert.equal(fields('copilot-cli', { name: 'größe', description: 'D' }), 'fields/pattern name');
    assert.equal(fields('copilot-cli', { name: 'n'.repeat(65), description: 'D' }), 'fields/length name');
    assert.equal(fields('copilot-cli', { name: 3, description: 'D' }), 'fields/type name');
    assert.equal(fields('gemini-cli', { name: 'tools/b:c', description: 'D' }), 'tools-b-c D');
    assert.equal(fields('mastra', { name: 'b', description: 'D' }), 'fields/folder name');
    assert.equal(fields('deepagents', { name: ' b ', description: 'D' }), 'b D');
    assert.equal(fields('codex', { name: ' b ', description: 'D' }), 'b D');
    assert.equal(fields('codex', { name: 'b  c', description: 'D' }), 'b c D');
    const nulls = new Map<string, Field>([
      ['name', { value: null, text: '' }],
      ['description', { value: null, text: 'null' }],
    ]);
    const file = { keys: nulls, body: '', isBodyEmpty: true };
    assert.deepEqual(readFields(client('openclaw').fields, '/w/a/SKILL.md', file, known), {
      name: 'a',
      description: 'null',
      isDescribed: true,
    });
    assert.equal(fields('deepagents', { name: '  ', description: 'D' }), 'fields/missing name');
    assert.equal(fields('cline', { name: '  ', description: ' ' }), 'a none');
    assert.equal(fields('cline', { name: 'b', enabled: 'no' }), 'fields/type enabled');
  });

  it('reads a missing, an empty and a wrong description', () => {
    assert.equal(fields('claude-code', {}), 'a A title');
    assert.equal(fields('claude-code', {}, ''), 'a Skill');
    assert.equal(fields('claude-code', { description: ['D'] }, `${'x'.repeat(101)}\n`), `a ${'x'.repeat(97)}...`);
    assert.equal(fields('copilot-cli', {}), 'a A first paragraph.');
    assert.equal(fields('copilot-cli', { description: '' }), 'a ');
    assert.equal(fields('copilot-cli', { description: null }), 'fields/type description');
    assert.equal(fields('opencode', { name: 'a' }), 'a none');
    assert.equal(fields('pi', { description: '' }), 'fields/missing description');
    assert.equal(fields('codex', { description: 53 }), 'a 53');
    assert.equal(fields('codex', { description: { d: 1 } }), 'fields/type description');
    assert.equal(fields('droid', { name: 'a', description: '' }), 'a No description provided');
    assert.equal(fields('mastra', { name: 'a', description: 'd'.repeat(1_025) }), 'fields/length description');
  });

  it('counts code units', () => {
    const pairs = (count: number): FieldValue => '\u{1F34E}'.repeat(count);
    for (const id of ['copilot-cli', 'mastra']) {
      assert.equal(fields(id, { name: 'a', description: pairs(512) }), `a ${pairs(512)}`);
      assert.equal(fields(id, { name: 'a', description: pairs(513) }), 'fields/length description');
    }
  });

  it('counts bytes, and the length of other keys', () => {
    const umlauts = (count: number): FieldValue => 'ü'.repeat(count);
    assert.equal(fields('crush', { name: 'a', description: umlauts(512) }), `a ${umlauts(512)}`);
    assert.equal(fields('crush', { name: 'a', description: umlauts(513) }), 'fields/length description');
    const compatibility = (id: string, text: FieldValue) =>
      fields(id, { name: 'a', description: 'D', compatibility: text });
    assert.equal(compatibility('crush', umlauts(250)), 'a D');
    assert.equal(compatibility('crush', umlauts(251)), 'fields/length compatibility');
    assert.equal(compatibility('mistral-vibe', umlauts(500)), 'a D');
    assert.equal(compatibility('mistral-vibe', umlauts(501)), 'fields/length compatibility');
  });

  it('compares the name with the folder without case', () => {
    assert.equal(fields('crush', { name: 'A', description: 'D' }), 'A D');
    assert.equal(fields('crush', { name: 'b', description: 'D' }), 'fields/folder name');
    assert.equal(fields('roo-code', { name: 'A', description: 'D' }), 'fields/pattern name');
  });

  it('refuses words in names, tags, other keys and other values', () => {
    const upload = (values: Readonly<Record<string, FieldValue>>) =>
      fields('claude-ai', { name: 'a', description: 'D', ...values });
    assert.equal(upload({ name: 'my-claude-notes' }), 'fields/reserved name');
    assert.equal(upload({ description: 'Tidies <b>notes</b>.' }), 'fields/tags description');
    assert.equal(upload({ mood: 'good' }), 'fields/unknown-key mood');
    assert.equal(upload({ 'x-mood': 'good' }), 'fields/unknown-key x-mood');
    assert.equal(upload({ license: 'MIT' }), 'a D');
    assert.equal(upload({ name: 'a--b' }), 'fields/pattern name');
    assert.equal(upload({ name: ' a ', description: ` ${'d'.repeat(1_024)} ` }), `a ${'d'.repeat(1_024)}`);
    const kimi = (type: FieldValue) => fields('kimi-cli', { description: 'D', type });
    assert.deepEqual(
      [kimi('flow'), kimi(''), kimi('guide'), kimi(5)],
      ['a D', 'a D', 'fields/value type', 'fields/value type'],
    );
  });

  it('cuts the name at its limit', () => {
    const { fields: rules } = client('vscode');
    const name = (folder: string) => {
      const read = { keys: keysOf({ description: 'D' }), body: '', isBodyEmpty: true };
      const result = readFields(rules, `/w/${folder}/SKILL.md`, read, known);
      return 'code' in result ? result.code : result.name;
    };
    assert.equal(name('n'.repeat(64)), 'n'.repeat(64));
    assert.equal(name('n'.repeat(65)), 'n'.repeat(64));
  });

  it('takes a line of the body as the client does', () => {
    const long = 'x'.repeat(241);
    assert.equal(fields('kimi-cli', {}, '\n---\n# A title\n'), 'a # A title');
    assert.equal(fields('kimi-cli', {}, long), `a ${'x'.repeat(239)}…`);
    assert.equal(fields('kimi-cli', {}, ''), 'a No description provided.');
    assert.equal(fields('openhands', {}), 'a A first');
    const lines = (body: string) => fields('copilot-cli', { name: 'a' }, body);
    assert.equal(lines('# A title\n\nOne. \n\n- two\n## Three\n  three\nfour\n'), 'a One. - two three');
    assert.equal(lines('```yaml\n---\nname: b\n---\n```\n'), 'a ```yaml --- name: b');
    assert.equal(fields('goose', { name: 'a' }), 'a none');
  });

  it('takes a number as it is written, or its value', () => {
    const name = { value: 15_300, text: '153e2' };
    const description = { value: 'D', text: 'D' };
    const keys = new Map<string, Field>([
      ['name', name],
      ['description', description],
    ]);
    const nameIn = (id: string): string => {
      const result = readFields(client(id).fields, '/w/a/SKILL.md', { keys, body: '', isBodyEmpty: true }, known);
      return 'code' in result ? result.code : (result.label ?? result.name);
    };
    for (const id of ['claude-code', 'qwen-code', 'deepagents']) assert.equal(nameIn(id), '15300');
    for (const id of ['codex', 'gemini-cli']) assert.equal(nameIn(id), '153e2');
  });

  it('checks other keys and the body', () => {
    const user = { name: 'a', description: 'D', 'user-invocable': 'no' };
    for (const id of ['copilot-cli', 'mastra']) assert.equal(fields(id, user), 'fields/type user-invocable');
    const model = { name: 'a', description: 'D', 'disable-model-invocation': 'yes' };
    for (const id of ['copilot-cli', 'droid']) assert.equal(fields(id, model), 'fields/type disable-model-invocation');
    assert.equal(
      fields('google-adk', { name: 'a', description: 'D', 'allowed-tools': ['Read'] }),
      'fields/type allowed-tools',
    );
    assert.equal(
      fields('google-adk', { name: 'a', description: 'D', compatibility: 'x'.repeat(501) }),
      'fields/length compatibility',
    );
    assert.equal(fields('droid', { name: 'a', description: 'D' }, ' \n'), 'fields/body');
    assert.equal(fields('droid', { name: 'a', description: 'D', license: ['MIT'] }), 'fields/type license');
    assert.equal(fields('droid', { name: 'a', description: 'D', metadata: '' }), 'fields/type metadata');
    assert.equal(fields('droid', { name: 'a', description: ' ' }), 'a No description provided');
    for (const tools of [null, { read: true }, 3]) {
      assert.equal(
        fields('copilot-cli', { name: 'a', description: 'D', 'allowed-tools': tools }),
        'fields/type allowed-tools',
      );
    }
    assert.equal(fields('copilot-cli', { name: 'a', description: 'D', 'allowed-tools': ['Read'] }), 'a D');
    const metadata = (value: FieldValue) => fields('codex', { name: 'a', description: 'D', metadata: value });
    assert.equal(metadata(['a', 'b']), 'fields/type metadata');
    assert.equal(metadata(null), 'a D');
  });
});

describe('the step resolve', () => {
  const loaded = (path: string, rank: number, name: string, label?: string): Loaded => ({
    name,
    ...(label && { label }),
    isDescribed: true,
    file: { path },
    found: { rank, folder: { scope: 'project', path: '.agents/skills', at: 'start' }, root: '', rest: '' },
  });
  const [first, second, third] = [
    loaded('/b/SKILL.md', 0, 'n'),
    loaded('/a/SKILL.md', 1, 'n'),
    loaded('/c/SKILL.md', 2, 'n'),
  ];

  /** Returns the paths of the skills that a client uses. */
  const used = (id: string, skills: readonly Loaded[], ask: Ask = known) =>
    skills
      .filter((one) => usedInstead(client(id).resolve, one, new LoadedSkills(skills), ask) === undefined)
      .map(({ file }) => file.path);

  it('uses the first, the last, all or any of three equal names', () => {
    assert.deepEqual(used('pi', [third, first, second]), ['/b/SKILL.md']);
    assert.deepEqual(used('kilo-code', [third, first, second]), ['/c/SKILL.md']);
    assert.deepEqual(used('codex', [third, first, second]), ['/c/SKILL.md', '/b/SKILL.md', '/a/SKILL.md']);
    const winner =
      (index: number): Ask =>
      (setting, value) =>
        setting === 'resolve.winner.n' ? (index as never) : known(setting, value);
    assert.deepEqual(used('opencode', [third, first, second], winner(1)), ['/a/SKILL.md']);
  });

  it('orders one folder by path, or in reverse', () => {
    const skills = [loaded('/a/SKILL.md', 0, 'n'), loaded('/b/SKILL.md', 0, 'n')];
    assert.deepEqual(used('pi', skills), ['/a/SKILL.md']);
    assert.deepEqual(used('gemini-cli', skills), ['/a/SKILL.md']);
    assert.deepEqual(used('kilo-code', skills), ['/b/SKILL.md']);
  });

  it('orders all files by path, ignoring letter case', () => {
    assert.deepEqual(used('crush', [third, first, second]), ['/c/SKILL.md']);
    assert.deepEqual(used('crush', [loaded('/B/SKILL.md', 0, 'n'), loaded('/a/SKILL.md', 1, 'n')]), ['/B/SKILL.md']);
  });

  it('counts a link and its target once', () => {
    const link = {
      ...first,
      file: { path: '/l/SKILL.md', link: { folder: true, file: false, target: '/a/SKILL.md' } },
    };
    assert.deepEqual(used('pi', [link, second]), ['/l/SKILL.md']);
  });

  it('takes a file at two paths as one skill, or as two', () => {
    const link = { folder: true, file: false, target: '/a/SKILL.md' };
    const linked = { ...first, file: { path: '/l/SKILL.md', link } };
    const again = { ...third, file: { path: '/m/SKILL.md', link } };
    assert.deepEqual(used('codex', [linked, second]), ['/l/SKILL.md']);
    assert.deepEqual(used('codex', [again, linked]), ['/l/SKILL.md']);
    assert.deepEqual(used('codex', [linked, third]), ['/l/SKILL.md', '/c/SKILL.md']);
    assert.deepEqual(used('ai-sdk', [linked, second]), ['/l/SKILL.md', '/a/SKILL.md']);
  });

  it('takes names that differ only in letter case as equal', () => {
    const skills = [loaded('/a/SKILL.md', 0, 'n'), loaded('/b/SKILL.md', 0, 'N')];
    assert.deepEqual(used('cline', skills), ['/a/SKILL.md']);
    assert.deepEqual(used('pi', skills), ['/a/SKILL.md', '/b/SKILL.md']);
  });

  it('leaves out a second name that another skill has', () => {
    const label = (skill: Loaded, ...others: Loaded[]) =>
      labelIn(client('claude-code').resolve, skill, new LoadedSkills([skill, ...others]), known);
    const one = loaded('/a/SKILL.md', 0, 'a', 'n');
    assert.equal(label(one), 'n');
    assert.equal(label(one, loaded('/n/SKILL.md', 0, 'n')), undefined);
    assert.equal(label(one, loaded('/b/SKILL.md', 0, 'b', 'n')), 'n');
    assert.equal(label(loaded('/b/SKILL.md', 0, 'b', 'n'), one), undefined);
  });
});

describe('the step admit', () => {
  const answers = (id: string, values: Readonly<Record<string, FieldValue>>) => {
    const { hidden, ...all } = admit(client(id).admit, { keys: keysOf({ description: 'D', ...values }) }, false, known);
    return { ...all, ...(hidden && { hidden: [hidden.code, hidden.key].join(' ') }) };
  };

  it('reads booleans as the client does', () => {
    const listed = (id: string, value: FieldValue) => answers(id, { 'disable-model-invocation': value }).listed;
    assert.deepEqual(
      [true, 'yes', 'true', 1, false].map((value) => listed('claude-code', value)),
      ['no', 'no', 'no', 'no', 'yes'],
    );
    assert.deepEqual(
      [true, 'yes', 'true', 1, false].map((value) => listed('qwen-code', value)),
      ['no', 'yes', 'no', 'yes', 'yes'],
    );
    assert.deepEqual(
      [true, 'yes', 'true', 1, false].map((value) => listed('pi', value)),
      ['no', 'yes', 'yes', 'yes', 'yes'],
    );
    assert.equal(listed('codex', true), 'yes');
  });

  it('hides a skill whose description is missing or empty', () => {
    assert.equal(answers('vscode', { description: '' }).hidden, 'admit/missing description');
    assert.equal(answers('vscode', { description: null }).listed, 'no');
    assert.equal(answers('vscode', {}).listed, 'yes');
  });

  it('says who may call a skill', () => {
    const claude = (values: Readonly<Record<string, FieldValue>>) => answers('claude-code', values);
    assert.deepEqual(claude({}), { listed: 'yes', model: 'yes', person: 'yes', permission: 'no' });
    assert.equal(claude({ 'user-invocable': false }).person, 'no');
    assert.equal(answers('droid', { 'user-invocable': false }).person, 'no');
    for (const id of ['droid', 'cline']) assert.equal(answers(id, { enabled: false }).listed, 'no');
    assert.equal(answers('cline', { disabled: true }).listed, 'no');
    assert.equal(claude({ 'allowed-tools': 'Read' }).permission, 'yes');
    assert.equal(claude({ 'allowed-tools': [] }).permission, 'no');
    assert.equal(claude({ hooks: {} }).permission, 'yes');
    assert.deepEqual(claude({ paths: ['src/**'] }), {
      listed: 'if-file-matches',
      model: 'if-file-matches',
      person: 'if-file-matches',
      permission: 'no',
      hidden: 'admit/key paths',
    });
    assert.deepEqual(answers('droid', { 'disable-model-invocation': true }), {
      listed: 'no',
      model: 'yes',
      person: 'yes',
      permission: 'no',
      hidden: 'admit/key disable-model-invocation',
    });
  });

  it('hides a skill without a description, or of a folder below', () => {
    const { admit: rules } = client('opencode');
    assert.equal(admit(rules, { keys: new Map() }, false, known).hidden?.code, 'admit/missing');
    assert.equal(admit(client('claude-code').admit, { keys: new Map() }, true, known).listed, 'if-file-below');
  });
});

describe('the step entry', () => {
  const roots = { nameOfRoot: (rank: number) => `r${rank}` };
  const entry = (id: string, skill: Partial<Loaded>, values: Readonly<Record<string, FieldValue>> = {}) =>
    entryOf(
      client(id).entry,
      {
        name: 'a',
        isDescribed: true,
        file: { path: '/w/packages/web/.agents/skills/a/SKILL.md' },
        found: { rank: 2, folder: { scope: 'user', path: '.agents/skills', at: 'home' }, root: '', rest: 'a/SKILL.md' },
        ...skill,
      },
      { keys: keysOf(values) },
      PLACE,
      roots,
      known,
    ).line;

  it('joins, folds, cuts and escapes', () => {
    assert.equal(
      entry('claude-code', { description: 'A\n\n  <b>' }, { when_to_use: 'now' }),
      '- a: A   &lt;b&gt; - now',
    );
    assert.equal(entry('claude-code', { description: 'd'.repeat(1_537) }), `- a: ${'d'.repeat(1_535)}…`);
    assert.equal(entry('claude-code', { description: '' }), '- a');
    const joined = (value: FieldValue) => entry('claude-code', { description: 'D' }, { when_to_use: value });
    assert.equal(joined(['b', 'c']), '- a: D - b,c');
    assert.equal(joined({ b: 'c' }), '- a: D - [object Object]');
    assert.equal(joined(1.5), '- a: D - 1.5');
    assert.equal(joined(null), '- a: D');
    assert.equal(entry('claude-code', { description: 'A\u200B b\u2028c' }), '- a: A  b c');
    assert.equal(entry('claude-code', { description: 'D', label: 'b' }), '- a (b): D');
    assert.equal(entry('codex', { description: ' A\n B ' }), '- a: A B (file: r2/a/SKILL.md)');
    assert.equal(entry('codex', { description: 'd'.repeat(1_025) })?.includes(`${'d'.repeat(1_021)}... (file`), true);
    assert.equal(entry('google-adk', { description: `'"` })?.includes('&#039;&quot;'), true);
    assert.equal(entry('ai-sdk', { name: 'a"b', description: '"' }), '  - skill("a\\"b"): "');
    const quoted = { description: `'`, file: { path: `/w/a&b's/SKILL.md` } };
    assert.equal(entry('opencode', quoted)?.includes(`'</description>\n    <location>/w/a&amp;b&#39;s/`), true);
  });

  it('cuts code points, or half of a surrogate pair', () => {
    const apples = '\u{1F34E}'.repeat(1_025);
    assert.equal(entry('codex', { description: apples })?.includes(` ${'\u{1F34E}'.repeat(1_021)}... (`), true);
    assert.equal(entry('claude-code', { description: apples }), `- a: ${'\u{1F34E}'.repeat(767)}\uFFFD…`);
    assert.equal(entry('droid', { description: apples }), `a: ${'\u{1F34E}'.repeat(511)}\uFFFD…`);
    assert.equal(
      entry('deepagents', { description: `d${apples}` })?.includes(`${'\u{1F34E}'.repeat(511)}\uD83C\n`),
      true,
    );
  });

  it('removes tags, and cuts the middle', () => {
    assert.equal(
      entry('vscode', { description: 'A <b>bold</b> <> & more' })?.includes('<description>A bold &lt;&gt; &amp; more<'),
      true,
    );
    assert.equal(entry('vscode', { description: `${'d'.repeat(1_024)}e` })?.includes(`>${'d'.repeat(1_024)}<`), true);
    const cut = entry('openhands', { description: `${'d'.repeat(1_000)}${'e'.repeat(1_000)}` }) ?? '';
    const text = /<description>([\s\S]*)<\/description>/.exec(cut)?.[1] ?? '';
    assert.match(
      text,
      /^d{400,}&lt;response clipped&gt;.* content at \/w\/packages\/web\/\.agents\/skills\/a\/SKILL\.md\.&lt;\/NOTE&gt;e{400,}$/,
    );
    assert.equal(text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').length, 1_024);
  });

  it('escapes what the client escapes', () => {
    const escaped = (id: string) => /A [^\n<]*/.exec(entry(id, { description: `A <&>"'\`=` }) ?? '')?.[0];
    assert.equal(escaped('zed'), 'A &lt;&amp;&gt;&quot;&#x27;&#x60;&#x3D;');
    assert.equal(escaped('mistral-vibe'), 'A &lt;&amp;&gt;&quot;&#x27;`=');
    assert.equal(escaped('openhands'), `A &lt;&amp;&gt;"'\`=`);
    assert.equal(escaped('crush'), 'A &lt;&amp;&gt;&quot;&apos;`=');
  });

  it('writes scopes and paths', () => {
    assert.equal(entry('qwen-code', { description: 'D' })?.includes('D (user)\n'), true);
    assert.equal(entry('mastra', { description: 'D' })?.includes('<location>.agents/skills/a/SKILL.md<'), true);
    assert.equal(
      entry('deepagents', { description: 'D' }),
      '- **a**: D\n  → Read `/.agents/skills/a/SKILL.md` for full instructions',
    );
    const home = { description: 'D', file: { path: '/h/.agents/skills/a&b/SKILL.md' } };
    assert.equal(entry('openclaw', home)?.includes('<location>~/.agents/skills/a&amp;b/SKILL.md<'), true);
  });

  it('shows other keys', () => {
    const first = (values: Readonly<Record<string, FieldValue>>) =>
      entry('deepagents', { description: 'D' }, values)?.replace(/\n[^\n]*$/, '');
    assert.equal(first({ license: 'MIT', compatibility: 'Any' }), '- **a**: D (License: MIT, Compatibility: Any)');
    assert.equal(first({ compatibility: 'x'.repeat(501) }), `- **a**: D (Compatibility: ${'x'.repeat(500)})`);
    assert.equal(first({ license: ['MIT', 'ISC'] }), '- **a**: D (License: MIT,ISC)');
    assert.equal(first({ 'allowed-tools': false }), '- **a**: D');
    assert.equal(first({ 'allowed-tools': 'Read, Write' }), '- **a**: D\n  → Allowed tools: Read,, Write');
    assert.equal(
      first({ 'allowed-tools': ['Read', 'Bash(git status)'] }),
      '- **a**: D\n  → Allowed tools: Read, Bash(git status)',
    );
    assert.equal(first({ 'allowed-tools': [] }), '- **a**: D');
  });

  it('reads the signs of `String.replace` in the entries of deepagents', () => {
    const shown = (description: string) => entry('deepagents', { description })?.split('\n')[0];
    assert.equal(shown('$1, $$5, $$$5 and $&.'), '- **a**: $1, $5, $$5 and {skills_list}.');
    assert.equal(shown("costs $$' more"), "- **a**: costs $' more");
    assert.equal(entry('deepagents', { description: "before $' after" }), null);
    assert.equal(entry('deepagents', { description: '$& and $`' }), null);
  });

  it('does not read placeholders in values', () => {
    assert.equal(
      entry('continue-cli', { description: '{name} $& {path}' }),
      'name: a\ndescription: {name} $& {path}\n',
    );
  });
});
