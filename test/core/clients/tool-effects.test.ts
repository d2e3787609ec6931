/** The predictions about tools of servers equal what was seen in the lab (lab/README.md, "Tools"). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PLAIN, TOOL_FORMS } from '../../../lab/tools/forms.ts';
import observed from '../../../lab/tools/observed.json' with { type: 'json' };
import { definitionOf, type ToolObservation } from '../../../lab/tools/run.ts';
import { leftOutTools, toolEffects } from '../../../server/src/clients/tools/tool-effects.ts';
import { TOOL_FAULT_KINDS, toolFaults, toolNotes } from '../../../server/src/clients/tools/tool-faults.ts';

const observations = observed as unknown as readonly ToolObservation[];

test('each client that was run has its effects, with the version of the run', () => {
  assert.deepEqual(
    toolEffects.map(({ client, version, observed: date }) => [client, version, date]),
    observations.map(({ client, version, observed: date }) => [client, version, date]),
  );
});

for (const { client, tools } of observations) {
  test(`${client} leaves out the tools that it is predicted to leave out`, () => {
    const predicted = TOOL_FORMS.flatMap((form) => {
      // Two tools of one name are one tool of the snapshot.
      if (definitionOf(form).name === PLAIN) return [];
      const definition = definitionOf(form);
      const all = leftOutTools([{ name: definition.name, faults: toolFaults(definition, form.id) }], [client]);
      const isLost = all.some(({ tool }) => tool === undefined);
      return [[form.id, form.question, isLost ? 'no tool of the server' : all.length > 0 ? 'left out' : 'offered']];
    });
    const seen = TOOL_FORMS.flatMap((form) => {
      const one = tools[form.id];
      if (!one || definitionOf(form).name === PLAIN) return [];
      const effect = one.losesServer ? 'no tool of the server' : one.names.length === 0 ? 'left out' : 'offered';
      return [[form.id, form.question, effect]];
    });
    assert.deepEqual(predicted, seen);
  });
}

test('each kind of fault affects a client', () => {
  for (const kind of TOOL_FAULT_KINDS) {
    assert(
      toolEffects.some(({ losesServer, losesTool }) => [...losesServer, ...losesTool].includes(kind)),
      kind,
    );
  }
});

test('a reference without a target, and a name that is too long for some models, are noted', () => {
  const inputSchema = {
    type: 'object',
    properties: { a: { $ref: '#/$defs/Q' }, b: { $ref: '#/$defs/P' }, c: { $ref: 'https://example.com/x' } },
    $defs: { P: {} },
  };
  assert.deepEqual(toolNotes({ name: 'find', inputSchema }, 'shop'), [
    'In the `inputSchema` of `find` of `shop`, the reference `#/$defs/Q` has no target.',
  ]);
  const schema = { type: 'object' };
  assert.deepEqual(toolNotes({ name: 'x'.repeat(59), inputSchema: schema }, 'shop'), []);
  assert.match(toolNotes({ name: 'x'.repeat(60), inputSchema: schema }, 'shop')[0] ?? '', /has 65 characters/);
});

test('definitions of any form have faults or none', () => {
  const schema = (json: string): unknown => ({ name: 'find', inputSchema: JSON.parse(json) });
  const deep = `${'{"type":"object","properties":{"a":'.repeat(5000)}{}${'}}'.repeat(5000)}`;
  assert.deepEqual(toolFaults(schema(deep), 'shop'), [], 'its depth is not for recursive code');
  assert.deepEqual(toolFaults(schema('{"type":"object","$schema":{"toString":1}}'), 'shop'), []);
  assert.deepEqual(toolFaults(schema('{"type":"object","properties":{"__proto__":true}}'), 'shop'), [
    { kind: 'boolean-input', at: '__proto__' },
  ]);
});
