/** The availability of a tool for a caller, and the reason in the decision. */
import { strict as assert } from 'node:assert';
import { test } from 'node:test';
import { availabilityOf } from '../../../server/src/composer/capabilities.ts';
import type { CapabilitySet, InvocationSource } from '../../../server/src/composer/composition.ts';
import { namedTool, type PackageTool } from '../../../server/src/skill/package.ts';

const tool = (name: string, scopes: readonly string[] = []): PackageTool => ({
  name,
  span: { start: 0, end: 0 },
  optional: false,
  constraints: undefined,
  descriptor: { ...namedTool(name), scopes },
});

const writer: CapabilitySet = { caller: 'writer', scopes: ['read:pages', 'write:candidates'], tools: 'all' };
const desk: CapabilitySet = { caller: 'night-desk', scopes: ['read:pages'], tools: ['read_page', 'write_candidate'] };
const anyone: CapabilitySet = { caller: undefined, scopes: 'all', tools: 'all' };

const cases: readonly [string, PackageTool, CapabilitySet, InvocationSource, boolean, string][] = [
  ['held', tool('read_page', ['read:pages']), writer, 'explicit', true, 'declared, and available to writer'],
  [
    'nothing known of the caller',
    tool('read_page', ['x:y']),
    anyone,
    'explicit',
    true,
    'declared, and available without a caller',
  ],
  [
    'unknown to the catalog',
    { ...tool('reed_page'), descriptor: undefined },
    anyone,
    'explicit',
    false,
    'the catalog has no tool with this name',
  ],
  ['not among the tools of the caller', tool('search_pages'), desk, 'explicit', false, 'night-desk may not use it'],
  [
    'a scope is lacking',
    tool('write_candidate', ['read:pages', 'write:candidates']),
    desk,
    'explicit',
    false,
    'night-desk lacks write:candidates',
  ],
  [
    'several scopes are lacking',
    tool('read_page', ['a:x', 'b:y', 'c:z']),
    desk,
    'explicit',
    false,
    'night-desk lacks a:x, b:y and c:z',
  ],
  [
    'an authoring tool elsewhere',
    tool('update_skill'),
    anyone,
    'scheduled',
    false,
    'only invocations with the source authoring may use it',
  ],
  [
    'an authoring tool in its place',
    tool('update_skill'),
    writer,
    'authoring',
    true,
    'declared, and available to writer',
  ],
  [
    'nobody has a name',
    tool('read_page', ['a:x']),
    { ...anyone, scopes: [] },
    'explicit',
    false,
    'the caller lacks a:x',
  ],
];

for (const [title, surface, capabilities, source, available, reason] of cases) {
  test(`availability: ${title}`, () =>
    assert.deepEqual(availabilityOf(surface, capabilities, source), { available, reason }));
}
