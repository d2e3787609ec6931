/** Go to definition (F12) from every kind of name. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { utf16 } from '../../../../server/src/features/locate.ts';
import { definition } from '../../../../server/src/features/navigation/definition.ts';
import { at, definitionsAt, WORLD } from './world.ts';

/** Asserts the targets of Go to Definition at each cursor in a file. */
function leads(path: string, ...cases: readonly (readonly [marked: string, ...places: string[]])[]): void {
  for (const [marked, ...places] of cases) assert.deepEqual(definitionsAt(path, marked), places, marked);
}

const FIND = 'find-page.skill.md 2: name: «find-page»';
const TONE = 'find-page.skill.md 12: «tone»: string';
const ROLE = 'find-page.skill.md 13: y, items: {properties: {«role»: string}, required: [ro';
const READ_PAGE = 'skills.config.yaml 2: - {name: «read_page», input_schema: {slug: s';
const SEARCH = 'search-canon.skill.yaml 1: name: «search-canon»';

test('goes to the name of a skill from every reference', () => {
  leads('report.skill.md', ['- find-¦page', FIND], ['step: find-¦page', FIND], ['$find-¦page.output', FIND]);
  leads('report.skill.md', ['{skill: find-¦page', FIND]);
  leads('judge.skill.md', ['#skill:find-¦page', FIND]);
});

test('lists the resolved version of a skill first', () => {
  const version = (number: string) =>
    `---\nname: part\ndescription: A part.\nversion: ${number}\ninput_schema: {}\n---\n`;
  const files = {
    'part.skill.md': version('1.4.0'),
    'part-2.skill.md': version('2.0.0'),
    'whole.skill.md': '---\nname: whole\nrequires: [{skill: part, version: ^1.0.0}]\n---\n',
  };
  assert.deepEqual(definitionsAt('whole.skill.md', 'skill: pa¦rt', files), [
    'part.skill.md 2: name: «part»',
    'part-2.skill.md 2: name: «part»',
  ]);
});

test('goes from a step to its `as`, and from a value to its step', () => {
  leads('report.skill.md', ['step: ru¦le', 'report.skill.md 16: as: «rule»']);
  leads('report.skill.md', ['{pa¦ge: text', 'find-page.skill.md 14: output_schema: {«page»: string}']);
});

test('goes from a tool to its definition in the catalog, a contract or the snapshot', () => {
  leads(
    'find-page.skill.md',
    ['name: read_¦page', READ_PAGE],
    ['#tool:read_¦page', READ_PAGE],
    ['search-¦canon,', SEARCH],
    ['{sl¦ug', 'skills.config.yaml 2: ad_page, input_schema: {«slug»: string}, operation: RE'],
  );
  leads('skills.config.yaml', ['tools: [read_¦page', READ_PAGE], ['search-¦canon]', SEARCH]);
  // The text of the snapshot is not in the index, so the target is the file itself.
  leads('find-page.skill.md', ['ser¦ved]', 'skills.tools.json']);
});

test('goes to other names in the catalog', () => {
  leads(
    'find-page.skill.md',
    ['[read:¦pages', 'skills.config.yaml 4: scopes: [«read:pages»]'],
    ['[arch¦ivist', 'skills.config.yaml 5: roles: {«archivist»: [read:pages]}'],
    ['{name: on_¦clash', 'skills.config.yaml 7: interrupts: [{name: «on_clash», node: call_tools}]'],
    ['#interrupt:on_¦clash', 'skills.config.yaml 7: interrupts: [{name: «on_clash», node: call_tools}]'],
    [', Em¦bed', 'skills.config.yaml 8: effects: [«Embed»]'],
    ['profile: de¦sk', 'skills.config.yaml 6: profiles: [{name: «desk», role: archivist, tools'],
    ['model: lo¦cal', 'skills.config.yaml 9: models: [«local»]'],
  );
});

test('goes from a parameter to its field in the schema', () => {
  leads(
    'find-page.skill.md',
    ['when: to¦ne', TONE],
    ['include_when: to¦ne', TONE],
    ['= to¦ne |', TONE],
    ['parameters.to¦ne', TONE],
    ['{to¦ne: grim', TONE],
    ['\nto¦ne: grim', TONE],
    ['[{ro¦le: pilot', ROLE],
    ['{ro¦le: clerk', ROLE],
    ['required: [ro¦le', ROLE],
    ['one.ro¦le', ROLE],
    ['\npa¦ge: toll', 'find-page.skill.md 14: output_schema: {«page»: string}'],
  );
  leads(
    'report.skill.md',
    ['inputs: {to¦ne', TONE],
    ['$input.to¦ne', 'report.skill.md 10: «tone»: string'],
    ['output.pa¦ge', 'find-page.skill.md 14: output_schema: {«page»: string}'],
    ['page: te¦xt', 'judge.skill.md 6: input_schema: {«text»: string}'],
  );
  leads('search-canon.skill.yaml', ['"{que¦ry}"', 'search-canon.skill.yaml 5: input_schema: {«query»: string}']);
});

test('goes to artifacts and variables', () => {
  leads(
    'find-page.skill.md',
    ['framing: ma¦in', 'find-page.skill.md 31: ## PromptTemplate: «main»'],
    ['#artifact:ma¦in', 'find-page.skill.md 31: ## PromptTemplate: «main»'],
    ['"ta¦il"', 'find-page.skill.md 37: ## PromptTemplate: «tail»'],
    ['{{ on¦e.', 'find-page.skill.md 34: {% for «one» in cast %}{{ one.role }'],
    // An included template can read the variables of the template that includes it.
    ['{{ ca¦p }} {{ user', 'find-page.skill.md 33: {% set «cap» = tone | upper %}{{ cap'],
  );
});

test('returns nothing for undeclared names', () => {
  leads('find-page.skill.md', ['[Qu¦ery'], ['{{ user_¦request'], ['| up¦per'], ['Gri¦m.'], ['ver¦sion: 1']);
});

test('returns the origin range to a client that supports links', () => {
  const { analysis, file, offset } = at('report.skill.md', '$find-¦page.output', WORLD);
  const [link] = definition(analysis, file, offset, utf16, true);
  assert.ok(link && 'originSelectionRange' in link);
  assert.deepEqual(link.originSelectionRange, utf16.range(file, { start: offset - 5, end: offset + 4 }));
});

test('goes from the names in the run of a sample to their declarations', () => {
  const files = {
    'skills.config.yaml': 'tools: [{name: read_page, output_schema: {text: string}}]\ninterrupts: [{name: on_clash}]\n',
    'note.skill.md':
      '---\nname: note\ntools: [read_page]\ncomposes: [{skill: x, as: first}]\nsamples:\n  dusk:\n' +
      '    stubs: {read_page: {returns: {text: gate}}}\n    answers: {on_clash: true}\n' +
      '    expect: {path: [first, Write it]}\n---\n\n## Approach: one\n\n1. **Write it**.\n',
  };
  const cases = [
    ['stubs: {read_¦page', 'skills.config.yaml 1: tools: [{name: «read_page», output_schema: {text:'],
    ['returns: {te¦xt', 'skills.config.yaml 1: d_page, output_schema: {«text»: string}}]'],
    ['answers: {on_¦clash', 'skills.config.yaml 2: interrupts: [{name: «on_clash»}]'],
    ['path: [fi¦rst', 'note.skill.md 4: mposes: [{skill: x, as: «first»}]'],
    ['Write¦ it]', 'note.skill.md 14: 1. **«Write it»**.'],
  ] as const;
  for (const [marked, place] of cases) assert.deepEqual(definitionsAt('note.skill.md', marked, files), [place]);
});
