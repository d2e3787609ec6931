/** Inlay hints in a composite about facts of its composed skills: effects, operation, versions, budgets. */
import type { InlayHint, Range } from 'vscode-languageserver-types';
import type { Analysis } from '../analysis/analysis.ts';
import { nodeAt } from '../languages/yaml/node.ts';
import type { InlayHintKind } from '../protocol.ts';
import { findSkillEntry } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { showInvisible } from '../text.ts';
import { amountIn, PATHS } from '../workspace/budgets.ts';
import { effectiveContract } from '../workspace/effective-contract.ts';
import { allows, resolveSummary } from '../workspace/resolve-skill.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';
import {
  findComposite,
  findRollUp,
  hasCycle,
  nameOf,
  namesWithSource,
  stepLines,
} from './hover/describe-composition.ts';
import type { Locate } from './locate.ts';
import { code, type Markdown, markup, md, paragraphs } from './markdown.ts';

export const INLAY_HINTS: readonly InlayHintKind[] = ['versions', 'effects'];

/** A hint at an offset, before it is converted to a hint of the protocol. */
interface Draft {
  readonly at: number;
  readonly label: string;
  readonly tooltip: Markdown;
}

/** Returns the hints in a range; none for an atomic skill, and none while files are still being read. */
export function inlayHints(
  analysis: Analysis,
  file: SkillFile,
  range: Range,
  kinds: ReadonlySet<InlayHintKind>,
  locate: Locate,
): InlayHint[] {
  const root = findComposite(analysis, file.uri);
  if (!root) return [];
  const start = locate.offset(file, range.start);
  const end = locate.offset(file, range.end);
  const drafts = [
    ...(kinds.has('effects') || kinds.has('operation') ? inferred(analysis, file, root, kinds) : []),
    ...(kinds.has('versions') ? versions(analysis, file, root) : []),
    ...(kinds.has('budget') ? budgets(analysis, file, root) : []),
  ];
  return drafts
    .filter(({ at }) => start <= at && at <= end)
    .map(({ at, label, tooltip }) => ({
      position: locate.range(file, { start: at, end: at }).start,
      label: showInvisible(label),
      tooltip: markup(tooltip),
      paddingLeft: true,
    }));
}

/** Returns hints for the undeclared effects, after `effects` or `composes`, and for the inferred operation. */
function inferred(
  analysis: Analysis,
  file: SkillFile,
  root: IndexedSkill,
  kinds: ReadonlySet<InlayHintKind>,
): readonly Draft[] {
  const { effects, operation } = effectiveContract([root, ...analysis.graph.closureOf(root)], analysis.operationOfTool);
  const own = new Set(root.summary.effects);
  const added = [...effects].filter(([effect]) => !own.has(effect));
  const drafts: Draft[] = [];
  const ownAt = afterKey(file, 'effects');
  const composesAt = afterKey(file, 'composes');
  const effectsAt = ownAt ?? composesAt;
  if (kinds.has('effects') && added.length > 0 && effectsAt !== undefined) {
    const names = added.map(([effect]) => effect).join(', ');
    drafts.push({
      at: effectsAt,
      label: ownAt === undefined ? `effects: ${names}` : `+ ${names}`,
      tooltip: paragraphs(md`A composite has all effects of its composed skills:`, namesWithSource(added)),
    });
  }
  const isOwn = findSkillEntry(file.frontmatter.tree.root, 'operation') !== undefined;
  if (kinds.has('operation') && operation && !isOwn && composesAt !== undefined) {
    const by = operation.tool === undefined ? nameOf(operation.by) : code(operation.tool);
    drafts.push({
      at: composesAt,
      label: `operation: ${operation.name}`,
      tooltip: md`The operation of a composite is the strongest operation of its tools and composed skills: ${by} is ${operation.name}.`,
    });
  }
  return drafts;
}

/** Returns the offset after the key's list if it is in brackets, otherwise after the key's colon. */
function afterKey({ text, frontmatter }: SkillFile, key: string): number | undefined {
  const entry = findSkillEntry(frontmatter.tree.root, key);
  if (!entry) return undefined;
  const { value } = entry;
  if (value.kind === 'list' && value.flow) return value.span.end;
  const colon = text.indexOf(':', entry.key.span.end);
  return colon < 0 || colon > entry.span.end ? undefined : colon + 1;
}

/** Returns hints for the versions to which ranges resolve. */
function versions(analysis: Analysis, { contract }: SkillFile, root: IndexedSkill): readonly Draft[] {
  return contract.requires.flatMap(({ name, version }) => {
    const resolved = version && resolveSummary(analysis.graph, root, name)?.summary.version;
    if (!resolved || resolved === version.name || !allows(version.name, resolved)) return [];
    return {
      at: version.span.end,
      label: `→ ${resolved}`,
      tooltip: md`The highest version of ${code(name)} that \`requires\` allows and the workspace has.`,
    };
  });
}

function budgets(analysis: Analysis, file: SkillFile, root: IndexedSkill): readonly Draft[] {
  const policy = findSkillEntry(file.frontmatter.tree.root, 'policy')?.value;
  if (hasCycle(analysis, root)) return [];
  return (['p95_ms', 'p99_ms', 'cost_usd'] as const).flatMap((measure): readonly Draft[] => {
    const node = nodeAt(policy, PATHS[measure]);
    const rolled = findRollUp(analysis, root, measure);
    if (!node || !rolled) return [];
    const how = measure === 'cost_usd' ? md`Sum of all composed skills:` : md`Sum along the slowest path:`;
    const label = `composed: ${amountIn(measure, rolled.total)}`;
    return [{ at: node.span.end, label, tooltip: paragraphs(how, stepLines(rolled.steps, measure)) }];
  });
}
