/** The data about clients has a closed shape: each fact has a source and a date. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import manifest from '../../../package.json' with { type: 'json' };
import type { Client, Fact } from '../../../server/src/clients/facts/client.ts';
import {
  clients,
  FRAMEWORK_WITH_FOLDER,
  findClient,
  frameworks,
  hasTool,
} from '../../../server/src/clients/facts/clients.ts';
import { oldFacts } from '../../host/audit.mjs';

const folder = 'server/src/clients/facts/data';
const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
/** All data files of clients and frameworks. */
const all = [...clients, ...frameworks];
const OTHERS = ['schema.json', 'standard.json', 'skills-ref.json'];

describe('the facts about clients', () => {
  const ajv = new Ajv2020({ allErrors: true, strictTypes: false, formats: { regex: true } });
  const isClient = ajv.compile(read('schema.json') as object);

  for (const client of all) {
    it(`${client.id} match the schema`, () => {
      isClient(read(`${client.id}.json`));
      assert.deepEqual(isClient.errors ?? [], []);
    });
  }

  it('include every file of the folder', () => {
    const files = readdirSync(folder).filter((name) => !OTHERS.includes(name));
    assert.deepEqual(files.sort(), all.map(({ id }) => `${id}.json`).sort());
    assert.deepEqual([clients.length, frameworks.length], [32, 7]);
  });

  it('do not allow unknown fields', () => {
    assert.equal(isClient({ ...findClient('codex'), mood: 'good' }), false);
  });

  it('define and use every source', () => {
    for (const client of all) {
      const used = new Set(sourcesOf(client));
      assert.deepEqual([...used].sort(), Object.keys(client.sources).sort(), client.id);
    }
  });

  it('have patterns that compile and accept a plain name', () => {
    for (const { id, limits } of all) {
      const { pattern } = limits.name?.value ?? {};
      if (pattern !== undefined) assert.match('tidy-notes', new RegExp(pattern, 'u'), id);
    }
  });

  it('have each tool once, with its older names', () => {
    for (const { id, tools } of clients) {
      const names = [...(tools?.value.names ?? []).map(({ name }) => name), ...(tools?.value.others ?? [])];
      assert.equal(new Set(names).size, names.length, id);
    }
    const known = (name: string) => clients.filter((client) => hasTool(client, name)).map(({ id }) => id);
    assert.deepEqual(known('MultiEdit'), ['claude-code', 'continue-cli', 'droid']);
    assert.deepEqual(known('ListAgents'), ['claude-code']);
    assert.deepEqual(known('run_in_terminal'), ['vscode']);
    assert.deepEqual(known('Raed'), []);
  });

  it('are listed by `npm run audit` after six months', () => {
    assert.deepEqual(oldFacts('.', new Date('2026-11-28')), []);
    const [first = ''] = oldFacts('.', new Date('2036-01-01'));
    assert.match(first, /^[\w-]+\.json, source [\w-]+, read on \d{4}-\d\d-\d\d: .+ \(\d+ facts?\)$/);
  });

  it('have the form of each path, scope and joiner that a line contains', () => {
    for (const { id, listing, limits } of clients) {
      const { line = '', path, joiner, ellipsis, exact } = listing.format;
      assert.equal(path !== undefined, line.includes('{path}'), `${id}: path`);
      if (exact !== false && limits.description?.value.with) assert.ok(joiner, `${id}: joiner`);
      if (listing.overflow.value === 'shortens-evenly') assert.notEqual(ellipsis?.budget, undefined, `${id}: ellipsis`);
      assert.equal(listing.order !== undefined, line !== '' && exact !== false, `${id}: order`);
    }
  });
});

it('the setting offers every client in the order of the table', () => {
  const setting = manifest.contributes.configuration.properties['skillComposer.agentSkills.clients'];
  const [offered, withFolder] = setting.items.anyOf;
  assert.deepEqual(
    offered?.enum,
    all.map(({ id }) => id),
  );
  assert.deepEqual(
    offered?.enumDescriptions,
    all.map(({ name }) => name),
  );
  assert.equal(new RegExp(withFolder?.pattern ?? '').source, FRAMEWORK_WITH_FOLDER.source);
});

describe('the facts about the standard', () => {
  it('have a source', () => {
    for (const name of ['standard.json', 'skills-ref.json']) {
      const { sources, facts } = read(name) as Pick<Client, 'sources' | 'facts'>;
      for (const [key, fact] of Object.entries(facts)) assert.ok(sources[fact?.source ?? ''], `${name}: ${key}`);
    }
  });
});

/** Returns the sources of all facts in a file, at any depth. */
function sourcesOf(value: unknown): readonly string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = (value as Partial<Fact<unknown>>).source;
  return [...(typeof own === 'string' ? [own] : []), ...Object.values(value).flatMap(sourcesOf)];
}
