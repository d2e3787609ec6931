/** Completion of values that a vocabulary defines: choices, booleans, versions, licences and names. */

import { inc, valid, validRange } from 'semver';
import identifiers from 'spdx-license-ids/index.json' with { type: 'json' };
import { agentReaders, needsBareNames } from '../../analysis/agents.ts';
import { findValue, nodeAt, stringOf } from '../../languages/yaml/node.ts';
import { type Capability, itemsOf } from '../../skill/contract.ts';
import { linkTargets } from '../../skill-folder/links.ts';
import { sliceOf, span } from '../../text.ts';
import { folderOf } from '../../vocabulary/dialect.ts';
import { RETRIED_FAILURES, RUN_FAILURES } from '../../vocabulary/known-names.ts';
import { alternatives, type Domain, type Shape, type TextOffers } from '../../vocabulary/shape.ts';
import { effectiveContract } from '../../workspace/effective-contract.ts';
import { preferred } from '../../workspace/resolve-skill.ts';
import { trusted } from '../markdown.ts';
import { graphNodeNames } from './graph-nodes.ts';
import { nameOfFile } from './keys.ts';
import { nameProposals, skillProposals } from './names.ts';
import { Kind, type Proposal, type Proposals, Rank } from './proposal.ts';
import { namesBeside, wordBefore, written, type YamlCursor } from './yaml-place.ts';

const NOTHING: Proposals = { proposals: [] };

/** Returns the proposals for the shapes, in the syntax that the cursor position requires. */
export function valueProposals(cursor: YamlCursor, shapes: readonly Shape[]): Proposals {
  const offers = shapes.map((shape) => proposalsOf(cursor, shape));
  return {
    proposals: offers.flatMap(({ proposals }) => proposals),
    isIncomplete: offers.some(({ isIncomplete }) => isIncomplete),
  };
}

function proposalsOf(cursor: YamlCursor, shape: Shape): Proposals {
  switch (shape.kind) {
    case 'choice': {
      const beside = namesBeside(cursor);
      const left = shape.choices.filter(({ value }) => !beside.has(String(value)));
      return {
        proposals: left.map(({ value, docs }) => ({
          label: String(value),
          kind: Kind.EnumMember,
          docs: trusted(docs),
        })),
      };
    }
    case 'boolean':
      return { proposals: ['true', 'false'].map((label) => ({ label, kind: Kind.Keyword })) };
    case 'string':
      if (shape.format === 'semver') return { proposals: versionProposals(cursor) };
      if (shape.format === 'semver-range') return { proposals: rangeProposals(cursor) };
      if (shape.format === 'spdx') return { proposals: licenceProposals() };
      if (shape.domain !== undefined) return names(cursor, shape.domain);
      return shape.offers === undefined ? NOTHING : { proposals: TEXTS[shape.offers](cursor) };
    case 'list':
      return inBrackets(cursor, (within) => valueProposals(within, alternatives(shape.items)));
    default:
      return NOTHING;
  }
}

/** The completion for each value that `offers` can have in a string of the vocabulary. */
const TEXTS: { readonly [Offers in TextOffers]: (cursor: YamlCursor) => readonly Proposal[] } = {
  'error codes': errorCodes,
  servers: serverNames,
  'file name': (cursor) => plainProposals(cursor, [nameOfFile(cursor) ?? []].flat(), Kind.File),
  'inputs in braces': inputsInBraces,
  'feature flags': (cursor) => plainProposals(cursor, capabilityNames(cursor, 'feature_flag')),
  tiers: (cursor) => plainProposals(cursor, [...capabilityNames(cursor, 'tier'), 'any']),
  'graph nodes': (cursor) => plainProposals(cursor, graphNodeNames(cursor.analysis, cursor.file)),
};

/** Returns the names that are not yet in the list at the cursor. */
function plainProposals(cursor: YamlCursor, names: readonly string[], kind: Kind = Kind.EnumMember): Proposal[] {
  const beside = namesBeside(cursor);
  return [...new Set(names)]
    .filter((name) => !beside.has(name))
    .map((label) => ({ label, kind, insert: written(cursor, label) }));
}

/** Returns the feature flags or tiers of the catalog's callers, then those that other skills require. */
function capabilityNames({ analysis, file }: YamlCursor, kind: Capability['kind']): readonly string[] {
  const callers = [...analysis.catalogOf(file.uri).profiles.values()];
  const required = [...analysis.graph.skills.values()].flatMap(({ summary }) => summary.capabilitiesRequired);
  return [
    ...callers.flatMap(({ tier, featureFlags }) => (kind === 'tier' ? (tier ?? []) : (featureFlags ?? []))),
    ...required.flatMap((one) => (one.kind === kind && !(kind === 'tier' && one.value === 'any') ? one.value : [])),
  ];
}

/** Returns the inputs in braces. After an open brace, only this placeholder is replaced. */
function inputsInBraces(cursor: YamlCursor): Proposal[] {
  const { file, place, offset } = cursor;
  const typed = /\{[ \t]*[\w.-]*$/.exec(wordBefore(cursor))?.[0];
  const after = /^[\w.-]*[ \t]*\}?/.exec(sliceOf(file.text, { start: offset, end: place.span.end }))?.[0] ?? '';
  const start = offset - (typed?.length ?? 0);
  const isWhole = start === place.span.start && offset + after.length >= place.span.end;
  return (file.contract.input?.schema.fields ?? []).map(({ name, type, required }) => {
    const label = `{${name}}`;
    const insert = isWhole ? written(cursor, label) : label;
    const end = typed === undefined ? offset : offset + after.length;
    return {
      label,
      kind: Kind.Field,
      detail: type,
      insert,
      span: span(start, end),
      rank: required ? Rank.own : Rank.near,
    };
  });
}

function names(cursor: YamlCursor, domain: Domain): Proposals {
  const { file, place, artifact } = cursor;
  const beside =
    place.role === 'item' || place.role === 'key' || place.path.at(-1) === 'name' ? namesDeclared(cursor) : new Set();
  const composable = place.path[0] === 'composes';
  const { proposals, isIncomplete }: Proposals =
    domain === 'skill'
      ? skillProposals(cursor, wordBefore(cursor), composable)
      : { proposals: nameProposals(cursor, domain) };
  const callName = domain === 'skill' ? callNamesIn(cursor) : () => undefined;
  // The tools of an approach are a subset of the tools that the skill declares.
  const surface =
    artifact === 'Approach' && domain === 'tool' ? new Set(file.contract.tools.map(({ name }) => name)) : undefined;
  return {
    proposals: proposals
      .filter(({ label }) => !beside.has(label) && (surface === undefined || surface.has(label)))
      .map((proposal) => ({
        ...proposal,
        insert: written(cursor, callName(proposal.label) ?? proposal.insert ?? proposal.label),
      })),
    isIncomplete,
  };
}

/**
 * Returns how an agent of a plugin names a skill of the plugin, as `skill-not-preloaded` asks for it; undefined for other
 * skills, and if Copilot CLI is a chosen client.
 */
function callNamesIn({ analysis, file, place }: YamlCursor): (skill: string) => string | undefined {
  const readers = place.path[0] === 'skills' && !analysis.partial ? agentReaders(analysis, file) : [];
  const [plugin] = readers.flatMap((one) => one.plugin ?? []);
  if (!plugin || needsBareNames(analysis, file)) return () => undefined;
  return (skill) =>
    analysis.agentSkills.find(`${plugin.root}/skills/${encodeURIComponent(skill)}/SKILL.md`)
      ? `${plugin.name}:${skill}`
      : undefined;
}

/** Returns the other names in the list at the cursor, even if the cursor is inside a map: `tools: [{name: |}]`. */
function namesDeclared(cursor: YamlCursor): ReadonlySet<string> {
  const { place } = cursor;
  if (place.role !== 'value') return namesBeside(cursor);
  const path = place.path.slice(0, -1);
  return namesBeside({ ...cursor, place: { ...place, role: 'item', path } });
}

/** Returns, for `retry_on`, the errors of the skill or of the step's skill, and of the skills that it composes. */
function errorCodes({ tree, file, analysis, place }: YamlCursor): Proposal[] {
  const { graph } = analysis;
  const step = stringOf(nodeAt(tree.root, [...place.path.slice(0, place.path.lastIndexOf('retry')), 'step']));
  const entry = file.contract.composes.find((one) => one.step === step);
  const uri = step === undefined ? file.uri : entry && analysis.resolveSkill(file, entry.name)?.uri;
  const skill = uri === undefined ? undefined : graph.skills.get(uri);
  const closure = skill ? [skill, ...graph.closureOf(skill)] : [];
  const own = step === undefined ? itemsOf(findValue(tree.root, 'errors'), 'code').map(([{ name }]) => name) : [];
  const codes = new Set([...own, ...effectiveContract(closure, analysis.operationOfTool).errors.keys()]);
  const ofRun = RETRIED_FAILURES.filter((code) => !codes.has(code));
  return [
    ...[...codes].map((label) => ({ label, kind: Kind.EnumMember })),
    ...ofRun.map((label) => ({ label, kind: Kind.EnumMember, detail: RUN_FAILURES.get(label)?.docs, rank: Rank.rest })),
  ];
}

/** Returns, for `servers`, the servers in the catalog's `from` file or, if that file was not read, in the snapshot. */
function serverNames(cursor: YamlCursor): Proposal[] {
  const { analysis, file, tree, place } = cursor;
  const beside = namesBeside(cursor);
  const pulled = analysis.index.snapshots.get(folderOf(file.uri))?.servers ?? [];
  const from = stringOf(findValue(nodeAt(tree.root, place.path.slice(0, 2)), 'from'));
  const target = linkTargets(file).find(({ path }) => path === from);
  const names = (target && analysis.serversIn(target.uri)) ?? pulled.map(({ name }) => name);
  return names
    .filter((name) => !beside.has(name))
    .map((name) => {
      const version = pulled.find((one) => one.name === name)?.version;
      return { label: name, kind: Kind.Module, detail: version, insert: written(cursor, name) };
    });
}

/** Proposes lists with one value, for a cursor directly after the colon. */
function inBrackets(cursor: YamlCursor, propose: (within: YamlCursor) => Proposals): Proposals {
  const { place, quote } = cursor;
  if (place.role !== 'value' || quote !== '') return NOTHING;
  const { proposals, isIncomplete } = propose({ ...cursor, place: { ...place, flow: true } });
  return {
    proposals: proposals.map((proposal) => ({ ...proposal, insert: `[${proposal.insert ?? proposal.label}]` })),
    isIncomplete,
  };
}

/** The common SPDX licence identifiers, which are proposed first. */
const COMMON: ReadonlyMap<string, string> = new Map(
  Object.entries({
    MIT: 'short and permissive',
    'Apache-2.0': 'permissive, with a patent grant',
    'BSD-3-Clause': 'permissive',
    ISC: 'short and permissive',
    'MPL-2.0': 'file-level copyleft',
    'GPL-3.0-or-later': 'copyleft',
    'AGPL-3.0-or-later': 'copyleft, also for use over a network',
    'CC-BY-4.0': 'for text, with attribution',
    'CC-BY-SA-4.0': 'for text, with attribution and share-alike',
    'CC0-1.0': 'no rights reserved',
    UNLICENSED: 'no rights granted',
  }),
);

const licenceProposals = (): readonly Proposal[] => [
  ...[...COMMON].map(([label, detail]) => ({ label, kind: Kind.Constant, detail, rank: Rank.near })),
  ...identifiers.map((label) => ({ label, kind: Kind.Constant, rank: Rank.known })),
];

/** Returns the next patch, minor and major version after the file's version. */
function versionProposals({ file: { text }, place }: YamlCursor): Proposal[] {
  const current = sliceOf(text, place.span);
  if (!valid(current)) {
    return ['1.0.0', '0.1.0'].map((label) => ({ label, kind: Kind.Constant }));
  }
  // The filter is the current version, because the next version may start with other digits.
  return (['patch', 'minor', 'major'] as const).flatMap((release) => {
    const label = inc(current, release);
    return label ? [{ label, kind: Kind.Constant, detail: `next ${release} version`, filter: current }] : [];
  });
}

/** Returns ranges that include the version of the skill in the same entry of `requires`. */
function rangeProposals(cursor: YamlCursor): Proposal[] {
  const { analysis, file, tree, place } = cursor;
  const skill = stringOf(findValue(nodeAt(tree.root, place.path.slice(0, -1)), 'skill'));
  // The file's ranges are ignored, because the range at the cursor may be invalid.
  const version = skill === undefined ? undefined : preferred(analysis.skillsNamed(skill, file.uri))?.summary.version;
  if (version === undefined || !valid(version)) return [];
  const current = sliceOf(file.text, place.span);
  const filter = current !== '' && validRange(current) !== null ? { filter: current } : {};
  const ranges: readonly (readonly [string, string])[] = [
    [`^${version}`, 'this version and later ones without a breaking change'],
    [`~${version}`, 'this version and later patches'],
    [version, 'only this version'],
    [`>=${version}`, 'this version and all later ones'],
  ];
  return ranges.map(([label, detail]) => ({
    label,
    kind: Kind.Constant,
    detail,
    insert: written(cursor, label),
    ...filter,
  }));
}
