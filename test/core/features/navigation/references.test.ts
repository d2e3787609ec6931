/** References found from any occurrence, and highlights in one file, marked as reads or writes. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { highlightsAt, referencesAt } from './world.ts';

test('finds the skills that compose, require, run and recommend a skill', () => {
  const everywhere = [
    'find-page.skill.md 2: name: «find-page»',
    'judge.skill.md 10: dge. Better than #skill:«find-page».',
    'report.skill.md 14: - «find-page»',
    'report.skill.md 19: - step: «find-page»',
    'report.skill.md 22: condition: $«find-page».output.page != ""',
    'report.skill.md 23: requires: [{skill: «find-page», version: ^1.0.0}]',
  ];
  assert.deepEqual(referencesAt('find-page.skill.md', 'name: find-¦page'), everywhere);
  assert.deepEqual(referencesAt('report.skill.md', '$find-¦page.output'), everywhere);
  assert.deepEqual(referencesAt('judge.skill.md', '#skill:find-¦page', false), everywhere.slice(1));
});

test('finds a parameter in conditions, samples, templates, examples and composites', () => {
  assert.deepEqual(referencesAt('find-page.skill.md', '  to¦ne: string'), [
    'find-page.skill.md 9: [{name: on_clash, when: «tone» == "grim"}]',
    'find-page.skill.md 12: «tone»: string',
    'find-page.skill.md 17: dusk: {parameters: {«tone»: grim, cast: [{role: pi',
    'find-page.skill.md 26: include_when: «tone» == "grim"',
    'find-page.skill.md 33: {% set cap = «tone» | upper %}{{ cap }} {{',
    'find-page.skill.md 33: {{ cap }} {{ parameters.«tone» }}',
    'find-page.skill.md 46: «tone»: grim',
    'report.skill.md 20: inputs: {«tone»: $input.tone}',
  ]);
  // The composite has another parameter with the same name.
  assert.deepEqual(referencesAt('report.skill.md', '$input.to¦ne'), [
    'report.skill.md 10: «tone»: string',
    'report.skill.md 20: inputs: {tone: $input.«tone»}',
  ]);
});

test('finds the fields of a parameter', () => {
  assert.deepEqual(referencesAt('find-page.skill.md', 'one.ro¦le'), [
    'find-page.skill.md 13: y, items: {properties: {«role»: string}, required: [ro',
    'find-page.skill.md 13: le: string}, required: [«role»]}}',
    'find-page.skill.md 17: s: {tone: grim, cast: [{«role»: pilot}]}, profile: des',
    'find-page.skill.md 34: or one in cast %}{{ one.«role» }}{% endfor %}',
    'find-page.skill.md 47: cast: [{«role»: clerk}]',
  ]);
});

test('finds a tool from the catalog, and a contract that is used as a tool', () => {
  assert.deepEqual(referencesAt('skills.config.yaml', 'name: read_¦page'), [
    'find-page.skill.md 8: tools: [{name: «read_page», constraints: {properti',
    'find-page.skill.md 22: 1. **Look**: use #tool:«read_page» and #tool:search-canon,',
    'skills.config.yaml 2: - {name: «read_page», input_schema: {slug: s',
    'skills.config.yaml 6: ole: archivist, tools: [«read_page», search-canon]}]',
  ]);
  assert.deepEqual(referencesAt('search-canon.skill.yaml', 'name: search-¦canon', false), [
    'find-page.skill.md 8: ug: {pattern: "^a"}}}}, «search-canon», served]',
    'find-page.skill.md 22: ool:read_page and #tool:«search-canon», ask at #interrupt:on_c',
    'skills.config.yaml 6: ist, tools: [read_page, «search-canon»]}]',
  ]);
});

test('does not mix equal names from different catalogs', () => {
  const skill = '---\nname: a\nallowed_roles: [editor]\n---\n';
  const files = {
    'one/skills.config.yaml': 'roles: {editor: []}\n',
    'one/a.skill.md': skill,
    'two/skills.config.yaml': 'roles: {editor: []}\n',
    'two/b.skill.md': skill,
  };
  assert.deepEqual(referencesAt('two/b.skill.md', '[edi¦tor', true, files), [
    'two/b.skill.md 3: allowed_roles: [«editor»]',
    'two/skills.config.yaml 1: roles: {«editor»: []}',
  ]);
});

test('finds a scope', () => {
  assert.deepEqual(referencesAt('report.skill.md', '[read:¦pages', false), [
    'find-page.skill.md 6: required_scopes: [«read:pages»]',
    'report.skill.md 6: required_scopes: [«read:pages»]',
    'skills.config.yaml 2: operation: READ, scope: «read:pages»}',
    'skills.config.yaml 5: roles: {archivist: [«read:pages»]}',
  ]);
});

test('marks declarations as writes and other uses as reads', () => {
  assert.deepEqual(highlightsAt('find-page.skill.md', 'framing: ma¦in'), [
    'read find-page.skill.md 15: framing: «main»',
    'read find-page.skill.md 22: on_clash; see #artifact:«main».',
    'write find-page.skill.md 31: ## PromptTemplate: «main»',
  ]);
  assert.deepEqual(highlightsAt('find-page.skill.md', '{% set ca¦p'), [
    'write find-page.skill.md 33: {% set «cap» = tone | upper %}{{ cap',
    'read find-page.skill.md 33: cap = tone | upper %}{{ «cap» }} {{ parameters.tone }',
    'read find-page.skill.md 39: {{ «cap» }} {{ user_request }}',
  ]);
  assert.deepEqual(highlightsAt('report.skill.md', 'as: ru¦le'), [
    'write report.skill.md 16: as: «rule»',
    'read report.skill.md 21: - step: «rule»',
  ]);
});
