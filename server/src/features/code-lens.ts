/**
 * Code lenses above the skill's name and its samples: permission, preview, composites, and budgets. The client
 * implements the commands. The locations of the composites are computed when a lens is resolved.
 */

import type { CodeLens, Command, Location } from 'vscode-languageserver-types';
import type { Analysis } from '../analysis/analysis.ts';
import { inner } from '../analysis/name-fixes.ts';
import { isDisabledHere } from '../analysis/permissions.ts';
import type { CodeLensKind } from '../protocol.ts';
import { findSkillEntry } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { Position, Span } from '../text.ts';
import { amountIn, findDeclared, MEASURES, type Measure } from '../workspace/budgets.ts';
import { composersOf } from '../workspace/composition-lookups.ts';
import { findComposite, findRollUp, hasCycle } from './hover/describe-composition.ts';
import type { Locate } from './locate.ts';

export const CODE_LENSES: readonly CodeLensKind[] = ['preview', 'samples', 'composedBy', 'budget', 'permission'];

/** The client commands. Lenses that need an undefined command are omitted. */
export interface LensCommands {
  /** The argument is `{uri, sample?}`. */
  readonly preview: string | undefined;
  /** The argument is `{uri, position, locations}`, with types of the protocol. */
  readonly showReferences: string | undefined;
  /** The argument is `{uri}`. */
  readonly enable: string | undefined;
}

/** The data for resolving a lens. */
export interface LensData {
  readonly composersOf: string;
}

/** Returns the lenses of a file. A skill without a name has only the lenses of its samples. */
export function codeLenses(
  analysis: Analysis,
  file: SkillFile,
  commands: LensCommands,
  kinds: ReadonlySet<CodeLensKind>,
  locate: Locate,
): CodeLens[] {
  const { uri, contract } = file;
  const { preview } = commands;
  const previewAt = (span: Span, title: string, target: { readonly sample?: string }): CodeLens[] =>
    preview === undefined
      ? []
      : [{ range: locate.range(file, span), command: { title, command: preview, arguments: [{ uri, ...target }] } }];
  const { name } = contract;
  return [
    ...(name && kinds.has('permission') && isDisabledHere(analysis, file)
      ? [{ range: locate.range(file, name.span), command: enabling(uri, commands.enable) }]
      : []),
    ...(name && kinds.has('preview') ? previewAt(name.span, 'Preview', {}) : []),
    ...(name && kinds.has('composedBy') && commands.showReferences !== undefined
      ? composedBy(analysis, file, name.span, locate)
      : []),
    ...(name && kinds.has('budget') ? budget(analysis, file, name.span, locate) : []),
    ...(kinds.has('samples')
      ? contract.samples.flatMap((sample) => previewAt(sample.span, 'Preview this sample', { sample: sample.name }))
      : []),
  ];
}

/** Returns the command that enables the skill. A lens with an empty command is plain text. */
const enabling = (uri: string, enable: string | undefined): Command =>
  enable === undefined
    ? { title: 'Disabled in this workspace', command: '' }
    : { title: 'Disabled in this workspace · Enable', command: enable, arguments: [{ uri }] };

function composedBy(analysis: Analysis, file: SkillFile, span: Span, locate: Locate): CodeLens[] {
  const { uri } = file;
  const skill = analysis.partial ? undefined : analysis.graph.skills.get(uri);
  const isComposed = skill && composersOf(analysis.graph, skill).length > 0;
  return isComposed ? [{ range: locate.range(file, span), data: { composersOf: uri } satisfies LensData }] : [];
}

/** Adds the command that shows the locations where other skills compose this skill. */
export function resolveCodeLens(
  analysis: Analysis,
  lens: CodeLens,
  { showReferences }: LensCommands,
  locate: Locate,
): CodeLens {
  const { composersOf: uri } = (lens.data ?? {}) as Partial<LensData>;
  const skill = uri === undefined ? undefined : analysis.graph.skills.get(uri);
  if (!skill || showReferences === undefined) return lens;
  const composers = composersOf(analysis.graph, skill);
  const locations = composers.flatMap((composer): Location[] => {
    const file = analysis.file(composer.uri);
    const entry = file?.contract.composes.find(({ name }) => name === skill.summary.name);
    if (!file || !entry) return [];
    return [{ uri: composer.uri, range: locate.range(file, inner(file.text, entry.span)) }];
  });
  const position: Position = lens.range.start;
  const title = `Composed by ${composers.length === 1 ? '1 skill' : `${composers.length} skills`}`;
  return { range: lens.range, command: { title, command: showReferences, arguments: [{ uri, position, locations }] } };
}

const MEASURE_NAMES: Readonly<Record<Measure, string>> = {
  p95_ms: 'p95',
  p99_ms: 'p99',
  timeout_ms: 'timeouts',
  cost_usd: 'cost',
};

/** Returns the lens with the budgets of the composed skills; empty if no composed skill declares a budget. */
function budget(analysis: Analysis, file: SkillFile, span: Span, locate: Locate): CodeLens[] {
  const skill = findComposite(analysis, file.uri);
  if (!skill || hasCycle(analysis, skill)) return [];
  const sums = MEASURES.flatMap((measure) => {
    const rolled = findRollUp(analysis, skill, measure);
    if (!rolled) return [];
    const declared = findDeclared(skill.summary, measure);
    const of = declared === undefined ? '' : ` of ${amountIn(measure, declared)}`;
    return [`${MEASURE_NAMES[measure]} ${amountIn(measure, rolled.total)}${of}`];
  });
  if (sums.length === 0) return [];
  const policy = findSkillEntry(file.frontmatter.tree.root, 'policy')?.key.span ?? span;
  // A lens without a command is plain text.
  return [
    { range: locate.range(file, policy), command: { title: `Composed skills: ${sums.join(' · ')}`, command: '' } },
  ];
}
