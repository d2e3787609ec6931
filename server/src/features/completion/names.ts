/** Completion of names that the workspace, the catalog or the file declares, by domain. */

import { valid } from 'semver';
import type { Analysis } from '../../analysis/analysis.ts';
import { runNames } from '../../analysis/run-names.ts';
import { hasLettersInOrder } from '../../nearest.ts';
import { allStages } from '../../skill/body.ts';
import { visitExecution } from '../../skill/execution/steps.ts';
import type { SkillFile, SkillSummary } from '../../skill/skill-file.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import type { Domain } from '../../vocabulary/shape.ts';
import { NAME_PATTERN } from '../../vocabulary/skill-keys.ts';
import type { Catalog } from '../../workspace/catalog.ts';
import { resolveSummary } from '../../workspace/resolve-skill.ts';
import { isInSameRoot } from '../../workspace/workspace-index.ts';
import { facts } from '../hover/describe.ts';
import { describeName, describeScope, describeSkill, describeTool } from '../hover/describe-names.ts';
import { describedBy } from '../markdown.ts';
import { type Cursor, Kind, type Proposal, type Proposals, Rank } from './proposal.ts';

/** Returns the names of any domain except `skill`; see `skillProposals`. */
export function nameProposals(cursor: Cursor, domain: Domain): Proposal[] {
  const { analysis, file } = cursor;
  const { contract, body } = file;
  const catalog = analysis.catalogOf(file.uri);
  switch (domain) {
    case 'tool':
      return ownFirst(toolProposals(cursor, catalog), contract.tools);
    case 'interrupt':
      return ownFirst(
        proposalsOf(catalog.interrupts.values(), Kind.Event, ({ node }) => node),
        contract.interrupts,
      );
    case 'scope':
      return scopeProposals(cursor, catalog);
    case 'role':
      return proposalsOf(catalog.roles?.values() ?? [], Kind.EnumMember, ({ scopes }) => scopes.join(', '));
    case 'effect':
      return proposalsOf(catalog.effects.values(), Kind.EnumMember, ({ uri }) => uri && 'from this workspace');
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
    case 'step': {
      const run = new Set(visitExecution(file)?.steps.map((one) => one.name));
      return contract.composes.map(({ step, name }) => ({
        label: step,
        kind: Kind.Module,
        detail: step === name ? undefined : name,
        ...(run.has(step) && { rank: Rank.known }),
        docs: (now, from) => describeName(now, from, 'skill', name),
      }));
    }
    case 'stage':
      return [
        ...nameProposals(cursor, 'step'),
        ...(body ? allStages(file.text, body) : []).map(({ name }) => ({
          label: name,
          kind: Kind.EnumMember,
          detail: 'stage',
          docs: (now: Analysis, from: SkillFile) => describeName(now, from, 'stage', name),
        })),
      ];
    default:
      return [];
  }
}

/** Returns the tools and services, or the interrupts, that a run of the skill can meet. */
export function runNameProposals({ analysis, file }: Cursor, domain: 'tool' | 'interrupt'): Proposal[] {
  const skill = analysis.graph.skills.get(file.uri);
  const names = skill ? runNames(analysis, skill)[`${domain}s`] : [];
  return [...names].map(([name, by]) => ({
    label: name,
    kind: domain === 'tool' ? Kind.Function : Kind.Event,
    detail: by === skill ? undefined : by.summary.name,
    docs: (now, from) => describeName(now, from, domain, name),
    rank: by === skill ? Rank.own : Rank.near,
  }));
}

/** Ranks the names that the skill declares before the other names. */
function ownFirst(proposals: readonly Proposal[], own: readonly { readonly name: string }[]): Proposal[] {
  const declared = new Set(own.map(({ name }) => name));
  return proposals.map((one) => (declared.has(one.label) ? { ...one, rank: Rank.own } : one));
}

const proposalsOf = <Declared extends { readonly name: string; readonly description?: string | undefined }>(
  declared: Iterable<Declared>,
  kind: Kind,
  detailOf?: (one: Declared) => string | undefined,
): Proposal[] =>
  [...declared].map((one) => ({ label: one.name, kind, detail: detailOf?.(one), docs: describedBy(one.description) }));

/** The maximum number of proposed tools. */
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

/** Returns the scopes that the skill's tools require, then the other scopes of the catalog. */
function scopeProposals({ file }: Cursor, catalog: Catalog): Proposal[] {
  const tools = file.contract.tools.flatMap(({ name }) => catalog.tools.get(name) ?? []);
  const needed = new Set(tools.flatMap(({ scopes }) => scopes));
  const known = catalog.scopes?.keys() ?? [...catalog.tools.values()].flatMap(({ scopes }) => scopes);
  return [...new Set([...needed, ...known])].map((name) => ({
    label: name,
    kind: Kind.EnumMember,
    detail: needed.has(name)
      ? `required by ${tools
          .filter(({ scopes }) => scopes.includes(name))
          .map((tool) => tool.name)
          .join(', ')}`
      : undefined,
    docs: (now, from) => describeScope(now.catalogOf(from.uri), name),
    rank: needed.has(name) ? Rank.demanded : Rank.known,
  }));
}

/** The maximum number of proposed skills. */
const MAX_SKILLS = 1_000;

/** The maximum number of proposed skills for which the documentation is more than the description. */
const MAX_DESCRIBED = 100;

/**
 * Returns the skills whose names match the typed word, except the file's own skill. With `composable`, returns only
 * those that a skill of the file's level may compose (docs/format.md, section 4).
 */
export function skillProposals(cursor: Cursor, word: string, composable = false, most = MAX_SKILLS): Proposals {
  const { analysis, file } = cursor;
  const own = file.summary.name;
  const typed = word.toLowerCase();
  const found = analysis.graph.names
    .filter((name) => name !== own && hasLettersInOrder(name.toLowerCase(), typed))
    .filter((name) => !composable || isComposable(cursor, name))
    .map((name): Candidate => ({ name, ...place(cursor, name) }))
    .sort((a, b) => a.rank - b.rank || (a.name < b.name ? -1 : 1));
  const isLong = found.length > MAX_DESCRIBED;
  return {
    proposals: found.slice(0, most).map((candidate) => proposalOf(candidate, isLong)),
    isIncomplete: found.length > most,
  };
}

interface Candidate {
  readonly name: string;
  readonly rank: Rank;
  readonly summary: SkillSummary | undefined;
}

function proposalOf({ name, rank, summary }: Candidate, isLong: boolean): Proposal {
  return {
    label: name,
    kind: Kind.Module,
    detail: facts(summary?.version, summary?.level !== undefined && `level ${summary.level}`),
    docs: (now, from) =>
      isLong ? describedBy(now.resolveSkill(from, name)?.contract.description?.name) : describeSkill(now, from, name),
    isDeprecated: summary?.deprecated,
    rank,
  };
}

/**
 * Ranks skills in the same folder and catalog first, then skills with the same catalog and workspace folder, then other
 * skills; deprecated skills and skills with errors are last.
 */
function place({ analysis, file }: Cursor, name: string): Pick<Candidate, 'rank' | 'summary'> {
  const skill = resolveSummary(analysis.graph, file, name);
  if (!skill) return { rank: Rank.doubtful, summary: undefined };
  const { uri, summary } = skill;
  if (summary.deprecated || !isSound(analysis, summary)) return { rank: Rank.doubtful, summary };
  const hasSameCatalog = analysis.findCatalog(uri)?.uri === analysis.findCatalog(file.uri)?.uri;
  if (!hasSameCatalog || !isInSameRoot(analysis.graph, uri, file.uri)) return { rank: Rank.rest, summary };
  return { rank: folderOf(uri) === folderOf(file.uri) ? Rank.near : Rank.known, summary };
}

/** Returns false if the summary shows that the skill has errors. Does not run the rules. */
const isSound = ({ graph }: Analysis, { dialect, broken, name, version, composes }: SkillSummary): boolean =>
  !broken &&
  NAME_PATTERN.test(name ?? '') &&
  (dialect === 'agent-skill' || valid(version) !== null) &&
  composes.every(({ skill }) => graph.byName.has(skill));

function isComposable({ analysis, file: { uri, contract } }: Cursor, name: string): boolean {
  const highest = contract.level === undefined ? 2 : contract.level - 1;
  return analysis
    .skillsNamed(name, uri)
    .some(
      ({ summary: { dialect, level } }) =>
        dialect !== 'agent-skill' && (level === undefined || level <= Math.max(1, highest)),
    );
}
