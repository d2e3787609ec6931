/** Generates `docs/clients.json` from the data: every fact about every client, with an identifier and its source. */

import type { Client, Fact } from '../../../server/src/clients/facts/client.ts';
import { clients, frameworks } from '../../../server/src/clients/facts/clients.ts';
import { stepsOf } from '../../../server/src/clients/matrix/prediction.ts';
import { computedFacts } from './outcomes.ts';

const all = [...clients, ...frameworks];

interface PublishedFact {
  readonly id: string;
  readonly value: unknown;
  readonly details?: object;
  readonly note?: string;
  readonly source: string;
  readonly certainty: string;
}

type Found = Partial<Fact<unknown>> & { readonly source: string; readonly name?: string };

/** Returns the objects with a source, with their paths in the data file. A key of the frontmatter has its name in the path. */
function* factsIn(value: unknown, path: readonly string[]): Generator<readonly [string, Found]> {
  if (typeof value !== 'object' || value === null) return;
  const { source } = value as Partial<Found>;
  if (typeof source === 'string') yield [path.join('.'), value as Found];
  else for (const [key, part] of Object.entries(value)) yield* factsIn(part, [...path, nameOf(part) ?? key]);
}

const nameOf = (value: unknown): string | undefined =>
  typeof value === 'object' && value !== null && 'source' in value ? (value as Found).name : undefined;

const published = new Map<Client, readonly PublishedFact[]>();

/** Returns the facts about a client, which are computed once. */
export function publishedFacts(client: Client): readonly PublishedFact[] {
  const known = published.get(client) ?? factsAbout(client);
  published.set(client, known);
  return known;
}

const factsAbout = (client: Client): readonly PublishedFact[] =>
  [...factsIn(client, []), ...(computedFacts(client) as ReadonlyMap<string, Found>)].map(
    ([path, { value, note, source, certainty, name: _, ...others }]) => {
      // A key of the frontmatter has no value: its parts are the value.
      const isKey = value === undefined;
      return {
        id: `${client.id}/${path}`,
        value: isKey ? others : value,
        ...(!isKey && Object.keys(others).length > 0 && { details: others }),
        ...(note !== undefined && { note }),
        source,
        certainty: certainty ?? 'read',
      };
    },
  );

/** A file at a commit. Without a repository, it is in that of the file before it. */
const AT_COMMIT =
  /(?:((?<![\w@./-])[\w-]+\/[\w.-]+)(?: \([\w/-]+\))? )?([\w.-]+(?:\/[\w.-]+)+|[\w-]+\.\w+)[^@;]*?@([0-9a-f]{7,})\b/g;
const FORK = /read in fork ([\w-]+\/[\w.-]+) @([0-9a-f]{7,})/;
const COPY = /copy ([\w-]+\/[\w.-]+) @([0-9a-f]{7,})/;
const PACKAGE = /((?:@[\w-]+\/)?[\w.-]+)@(\d+\.\d+\.\d+(?:-[\w.]+)*)/g;
const SITE = /(?<![\w@./-])(?:[a-z0-9-]+\.)+(?:ai|com|dev|google|io)\/[\w./-]*[\w-]/g;
const UNPINNED = /^([\w-]+\/[\w.-]+) ([\w./-]+\.md)$/;

/**
 * Returns the addresses in the text of a source. A file of a repository is meant at its commit; if it was read in a
 * fork, in the fork.
 */
export function addressesIn(where: string): readonly string[] {
  const sites = [...where.matchAll(SITE)].map(([site]) => `https://${site}`);
  const packages = [...where.matchAll(PACKAGE)].map(
    ([, name, version]) => `https://www.npmjs.com/package/${name}/v/${version}`,
  );
  return [...new Set([...sites, ...packages, ...filesIn(where)])];
}

function filesIn(where: string): readonly string[] {
  const [, repository, path] = UNPINNED.exec(where) ?? [];
  if (repository !== undefined) return [`https://github.com/${repository}/blob/HEAD/${path}`];
  const [, fork, commit] = FORK.exec(where) ?? [];
  if (fork !== undefined) {
    const [, file] = /^\S+(?: \(\S+\))? (\S+)/.exec(where) ?? [];
    return [`https://github.com/${fork}/blob/${commit}/${file}`];
  }
  const [, copy, of] = COPY.exec(where) ?? [];
  if (copy !== undefined) return [`https://github.com/${copy}/tree/${of}`];
  let last = '';
  return [...where.matchAll(AT_COMMIT)].flatMap(([, repository = last, file, commit]) => {
    last = repository;
    return repository === '' ? [] : [`https://github.com/${repository}/blob/${commit}/${file}`];
  });
}

/** Returns the sources of the facts about a client, and of its steps. */
export const sourcesOf = (client: Client): Client['sources'] => ({ ...stepsOf(client).sources, ...client.sources });

const inLines = (indent: string, values: readonly unknown[]): string =>
  values.map((value) => `\n${indent}  ${JSON.stringify(value)}`).join(',');

/** Returns a client as JSON, with a line for each source and each fact. */
function clientText(client: Client): string {
  const { id, name, asOf, basis, archived, uncertain } = client;
  const head = Object.entries({ id, name, as_of: asOf, basis, ...(archived && { archived }) });
  const sources = Object.entries(sourcesOf(client)).map(
    ([key, { where = '', checked } = { where: '', checked: '' }]) => {
      const source = { title: where, addresses: addressesIn(where), checked };
      return `\n        ${JSON.stringify(key)}: ${JSON.stringify(source)}`;
    },
  );
  return [
    '    {',
    ...head.map(([key, value]) => `      ${JSON.stringify(key)}: ${JSON.stringify(value)},`),
    `      "sources": {${sources.join(',')}\n      },`,
    `      "facts": [${inLines('      ', publishedFacts(client))}\n      ],`,
    `      "uncertain": ${JSON.stringify(uncertain)}`,
    '    }',
  ].join('\n');
}

/** Returns the identifiers in the file, and those of facts that were removed earlier. */
function knownIds(text: string): readonly string[] {
  const { clients: known, retired } = JSON.parse(text) as {
    readonly clients: readonly { readonly facts: readonly PublishedFact[] }[];
    readonly retired: readonly string[];
  };
  return [...known.flatMap(({ facts }) => facts.map(({ id }) => id)), ...retired];
}

/** Returns the text of the file. The identifiers of removed facts, which others may cite, are kept from the older text. */
export function factsText(older: string): string {
  const ids = new Set(all.flatMap((client) => publishedFacts(client).map(({ id }) => id)));
  const retired = knownIds(older).filter((id) => !ids.has(id));
  return `{
  "$schema": "schemas/clients.schema.json",
  "version": 1,
  "clients": [
${all.map(clientText).join(',\n')}
  ],
  "retired": ${JSON.stringify([...new Set(retired)].sort())}
}
`;
}
