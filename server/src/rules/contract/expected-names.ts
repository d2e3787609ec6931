/** Checks the names in the expectations of a sample (docs/testing.md, "Expectations of a sample"). */
import type { Analysis } from '../../analysis/analysis.ts';
import { listedUpTo } from '../../analysis/composed-skills.ts';
import { replaceName } from '../../analysis/name-fixes.ts';
import { ownPackageOf } from '../../analysis/package-of.ts';
import { possibleNodeIds } from '../../composer/subgraph.ts';
import type { Draft } from '../../finding.ts';
import { findValue, listItems, type YamlNode } from '../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import { type Named, namedOf } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { AUTHORING_TOOLS } from '../../vocabulary/known-names.ts';

/** The tools and the interrupts that a run of a skill can meet. */
interface DeclaredNames {
  readonly tools: ReadonlyMap<string, unknown>;
  readonly interrupts: ReadonlyMap<string, unknown>;
  /** False if a composed skill is unknown, so that names may be missing. */
  readonly isComplete: boolean;
}

/** The names that an expectation may contain. */
interface Known {
  readonly noun: string;
  /** Undefined if names may be missing. */
  readonly names: readonly string[] | undefined;
  /** Names that are also valid, but are not proposed. */
  readonly isOther?: (name: string) => boolean;
}

/**
 * Returns a function that yields the unknown names in the expectations of a sample of the file. A composition never has
 * these names, so a test that expects one of them always fails. `names` is undefined while files are being read.
 */
export function expectedNames(
  analysis: Analysis,
  file: SkillFile,
  names: DeclaredNames | undefined,
): (expect: YamlNode | undefined) => Iterable<Draft> {
  const ofRun = (known: ReadonlyMap<string, unknown> | undefined) =>
    names?.isComplete && known ? [...known.keys()] : undefined;
  const tools: Known = { noun: 'tool', names: ofRun(names?.tools), isOther: (name) => AUTHORING_TOOLS.includes(name) };
  const interrupts: Known = { noun: 'interrupt', names: ofRun(names?.interrupts) };
  let own: ReturnType<typeof ownNames> | undefined;
  return function* check(expect) {
    if (!expect) return;
    const artifacts = findValue(expect, 'artifacts');
    yield* unknownNames(file, findValue(expect, 'tools'), tools);
    yield* unknownNames(file, findValue(expect, 'interrupts'), interrupts);
    const nodes = findValue(expect, 'nodes');
    if (!artifacts && !nodes) return;
    own ??= ownNames(analysis, file);
    for (const side of ['taken', 'left_out']) yield* unknownNames(file, findValue(artifacts, side), own.artifacts);
    yield* unknownNames(file, nodes, own.nodes);
  };
}

/** Returns the names of the artifacts and of the nodes that a composition of the file may have. */
function ownNames(analysis: Analysis, file: SkillFile): Readonly<Record<'artifacts' | 'nodes', Known>> {
  const skillPackage = ownPackageOf(analysis, file);
  const { artifacts } = skillPackage;
  const { ids, isNumbered } = possibleNodeIds(skillPackage);
  // Headings and lists in such parts were not read, so that artifacts and stages may be missing.
  const isRead = (file.body?.scanned.length ?? 0) === 0;
  const names = isRead ? [...new Set(artifacts.map(({ name }) => name))] : undefined;
  return {
    // An expectation contains the name of an artifact, or its ID.
    artifacts: { noun: 'artifact', names, isOther: (name) => artifacts.some(({ id }) => id === name) },
    nodes: { noun: 'node', names: isRead ? ids : undefined, isOther: isNumbered },
  };
}

function* unknownNames(file: SkillFile, list: YamlNode | undefined, { noun, names, isOther }: Known): Iterable<Draft> {
  if (!names) return;
  for (const item of listItems(list)) {
    const named = namedOf(item);
    if (named && !names.includes(named.name) && !isOther?.(named.name)) yield unknownName(file, named, noun, names);
  }
}

/** Returns the finding for a name that is none of `known`, with the nearest names or else all names. */
export function unknownName(file: SkillFile, { name, span }: Named, noun: string, known: readonly string[]): Draft {
  const near = nearestNames(name, known);
  const names = listedUpTo(known.map((one) => `\`${one}\``));
  const otherwise = known.length > 0 ? ` Known names: ${names}.` : ` The skill has no ${noun}.`;
  return {
    span,
    message: `Unknown ${noun} \`${name}\`.${didYouMean(near) || otherwise}`,
    fixes: replaceName(file, [span], near),
  };
}
