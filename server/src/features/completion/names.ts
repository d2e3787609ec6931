/** Names that the workspace, the catalog or the file itself declares, by what they name. */

import type { Domain } from '../../vocabulary/shape.ts';
import type { Catalog } from '../../workspace/catalog.ts';
import { facts } from '../hover/describe.ts';
import { describeName, describeScope, describeTool } from '../hover/describe-names.ts';
import { describedBy } from '../markdown.ts';
import { type Cursor, Kind, type Proposal, Rank } from './proposal.ts';

/** The names of every domain but `skill`, which has a file of its own. */
export function nameProposals(cursor: Cursor, domain: Domain): Proposal[] {
  const { analysis, file } = cursor;
  const { contract, body } = file;
  const catalog = analysis.catalogOf(file.uri);
  switch (domain) {
    case 'tool':
      return toolProposals(cursor, catalog);
    case 'interrupt':
      return proposalsOf(catalog.interrupts.values(), Kind.Event, ({ node }) => node);
    case 'scope':
      return scopeProposals(cursor, catalog);
    case 'role':
      return proposalsOf(catalog.roles?.values() ?? [], Kind.EnumMember, ({ scopes }) => scopes.join(', '));
    case 'effect':
      return proposalsOf(catalog.effects.values(), Kind.EnumMember, ({ uri }) => uri && 'of this workspace');
    case 'profile':
      return proposalsOf(catalog.profiles.values(), Kind.EnumMember);
    case 'surface':
      return proposalsOf(catalog.surfaces?.values() ?? [], Kind.EnumMember);
    case 'channel':
      return proposalsOf(catalog.channels?.values() ?? [], Kind.EnumMember);
    case 'model':
      return [...(catalog.models?.keys() ?? ['anthropic', 'openai'])].map((label) => ({
        label,
        kind: Kind.EnumMember,
      }));
    case 'template':
      return (body?.artifacts ?? [])
        .filter(({ kind }) => kind === 'PromptTemplate')
        .map(({ name }) => ({
          label: name,
          kind: Kind.File,
          docs: (now, from) => describeName(now, from, 'template', name),
        }));
    case 'step':
      return contract.composes.map(({ step, name }) => ({
        label: step,
        kind: Kind.Module,
        detail: step === name ? undefined : name,
        docs: (now, from) => describeName(now, from, 'skill', name),
      }));
    default:
      return [];
  }
}

const proposalsOf = <Declared extends { readonly name: string; readonly description?: string | undefined }>(
  declared: Iterable<Declared>,
  kind: Kind,
  detailOf?: (one: Declared) => string | undefined,
): Proposal[] =>
  [...declared].map((one) => ({ label: one.name, kind, detail: detailOf?.(one), docs: describedBy(one.description) }));

/** How many tools are offered at most. */
const MAX_TOOLS = 2_000;

function toolProposals({ analysis, file }: Cursor, catalog: Catalog): Proposal[] {
  const declared = [...catalog.tools.values()].slice(0, MAX_TOOLS).map(
    (tool): Proposal => ({
      label: tool.name,
      kind: Kind.Function,
      detail: facts(tool.operation, tool.isOfEditor ? 'the editor' : tool.server),
      docs: () => describeTool(tool),
    }),
  );
  const contracts = analysis.graph.tools
    .toSeq()
    .filter((name) => name !== file.summary.name && !catalog.tools.has(name))
    .take(MAX_TOOLS)
    .toArray()
    .sort()
    .map(
      (name): Proposal => ({
        label: name,
        kind: Kind.Function,
        detail: 'contract',
        docs: (now, from) => describeName(now, from, 'skill', name),
      }),
    );
  return [...declared, ...contracts];
}

/** What the skill's tools need comes first, then the rest of the catalog. */
function scopeProposals({ file }: Cursor, catalog: Catalog): Proposal[] {
  const tools = file.contract.tools.flatMap(({ name }) => catalog.tools.get(name) ?? []);
  const needed = new Set(tools.flatMap(({ scopes }) => scopes));
  const known = catalog.scopes?.keys() ?? [...catalog.tools.values()].flatMap(({ scopes }) => scopes);
  return [...new Set([...needed, ...known])].map((name) => ({
    label: name,
    kind: Kind.EnumMember,
    detail: needed.has(name)
      ? `needed by ${tools
          .filter(({ scopes }) => scopes.includes(name))
          .map((tool) => tool.name)
          .join(', ')}`
      : undefined,
    docs: (now, from) => describeScope(now.catalogOf(from.uri), name),
    rank: needed.has(name) ? Rank.demanded : Rank.known,
  }));
}
