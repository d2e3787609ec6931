/** `docs/clients.json` is generated from the data; the test fails if it is out of date. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { clients, frameworks } from '../../../server/src/clients/facts/clients.ts';
import { validatorOf } from '../exchange/validators.ts';
import { computedFacts } from './outcomes.ts';
import { addressesIn, factsText, publishedFacts, sourcesOf } from './published-facts.ts';

const path = 'docs/clients.json';
const EMPTY = '{"clients": [], "retired": []}';

describe('docs/clients.json', () => {
  it('has every fact: UPDATE_EXPECT=1 npm run test:core -- --filter core/clients', () => {
    const text = existsSync(path) ? readFileSync(path, 'utf8') : EMPTY;
    if (process.env.UPDATE_EXPECT === '1') writeFileSync(path, factsText(text));
    else assert.equal(text, factsText(text));
  });

  const published = JSON.parse(factsText(EMPTY));

  it('matches its schema', () => {
    const validate = validatorOf('clients');
    assert.ok(validate(published), JSON.stringify(validate.errors?.slice(0, 5)));
  });

  it('has all facts of the data files, each with its own identifier and a known source', () => {
    for (const client of [...clients, ...frameworks]) {
      const facts = publishedFacts(client);
      const written = JSON.stringify(client).split('"source":').length - 1;
      assert.equal(facts.length, written + computedFacts(client).size, client.id);
      assert.equal(new Set(facts.map(({ id }) => id)).size, facts.length, client.id);
      for (const { source, value } of facts) {
        assert.ok(sourcesOf(client)[source], `${client.id}: ${source}`);
        assert.notEqual(value, undefined);
      }
    }
  });

  it('has the certainty and the details of a fact', () => {
    const factOf = (id: string) =>
      published.clients
        .flatMap(({ facts }: { facts: { id: string }[] }) => facts)
        .find((fact: { id: string }) => fact.id === id);
    const limit = factOf('claude-code/limits.description');
    assert.deepEqual([limit.value.listing, limit.source, limit.certainty], [1536, 'skills', 'read']);
    assert.equal(factOf('claude-code/outcomes.bad_yaml').value, 'loaded');
    assert.equal(factOf('claude-code/keys.when_to_use').value.type, 'string');
    assert.equal(factOf('amp/dirs').certainty, 'unverified');
    assert.equal(factOf('claude-code/facts.find.depth').value, 1);
  });

  it('keeps the identifiers of removed facts', () => {
    const older = JSON.stringify({
      clients: [{ facts: [{ id: 'codex/dirs' }, { id: 'codex/gone' }] }],
      retired: ['amp/old'],
    });
    assert.deepEqual(JSON.parse(factsText(older)).retired, ['amp/old', 'codex/gone']);
  });
});

describe('the addresses of a source', () => {
  it('are those of pages, packages and files at a commit', () => {
    const github = (rest: string): string => `https://github.com/${rest}`;
    const cases: readonly (readonly [string, readonly string[]])[] = [
      ['platform.claude.com/docs/en/skills-guide', ['https://platform.claude.com/docs/en/skills-guide']],
      [
        'openai/codex codex-rs/src/loader.rs @2ffe8cd57 (2026-07-22)',
        [github('openai/codex/blob/2ffe8cd57/codex-rs/src/loader.rs')],
      ],
      [
        'anthropics/claude-code CHANGELOG.md @5cfc0a19 (up to 2.1.240)',
        [github('anthropics/claude-code/blob/5cfc0a19/CHANGELOG.md')],
      ],
      ['RooCodeInc/Roo-Code-Docs docs/sunset.md', [github('RooCodeInc/Roo-Code-Docs/blob/HEAD/docs/sunset.md')]],
      [
        'zed/zed crates/a.rs (read in fork me/zed-fork @d48a3b6e, 2026-07-30)',
        [github('me/zed-fork/blob/d48a3b6e/crates/a.rs')],
      ],
      [
        '@openai/codex@0.171.0-linux-x64, names in the program',
        ['https://www.npmjs.com/package/@openai/codex/v/0.171.0-linux-x64'],
      ],
      [
        'code.claude.com/docs/en/skills (copy eric/docs @ec68a5b2, 2026-08-22)',
        ['https://code.claude.com/docs/en/skills', github('eric/docs/tree/ec68a5b2')],
      ],
      [
        'anomalyco/opencode packages/docs/tools.mdx @0e83f10a; packages/registry.ts @010bc19e for names',
        [
          github('anomalyco/opencode/blob/0e83f10a/packages/docs/tools.mdx'),
          github('anomalyco/opencode/blob/010bc19e/packages/registry.ts'),
        ],
      ],
    ];
    for (const [where, expected] of cases) assert.deepEqual(addressesIn(where), expected, where);
  });

  it('are absolute, and only a source that names no commit has none', () => {
    const sources = [...clients, ...frameworks].flatMap(({ id, sources }) =>
      Object.entries(sources).map(([key, source]) => ({ id: `${id} ${key}`, where: source?.where ?? '' })),
    );
    assert.deepEqual(
      sources.filter(({ where }) => addressesIn(where).length === 0).map(({ id }) => id),
      ['codex parser'],
    );
    for (const { where } of sources) {
      for (const address of addressesIn(where)) assert.match(address, /^https:\/\/[\w./@-]+\w$/, where);
    }
  });
});
