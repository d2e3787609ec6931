/** Hints in a composite about what follows from its parts: effects, operation, versions, budgets. */
import type { InlayHint, Range } from 'vscode-languageserver-types';
import type { Analysis } from '../analysis/analysis.ts';
import { nodeAt } from '../languages/yaml/node.ts';
import type { InlayHintKind } from '../protocol.ts';
import { findSkillEntry } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { visible } from '../text.ts';
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

/** A hint at an offset, before it is a hint of the protocol. */
interface Draft {
  readonly at: number;
  readonly label: string;
  readonly tooltip: Markdown;
}

/** None for an atomic skill, nor while files are still being read. */
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
      label: visible(label),
      tooltip: markup(tooltip),
      paddingLeft: true,
    }));
}

/** Effects behind `effects`, else behind `composes`; only those that the skill does not declare itself. */
function inferred(
  analysis: Analysis,
  file: SkillFile,
  root: IndexedSkill,
  kinds: ReadonlySet<InlayHintKind>,
): readonly Draft[] {
  const { effects, operation } = effectiveContract(analysis.graph.closureOf(root));
  const own = new Set(root.summary.effects);
  const added = [...effects].filter(([effect]) => !own.has(effect));
  const drafts: Draft[] = [];
  const ownAt = behindKey(file, 'effects');
  const composesAt = behindKey(file, 'composes');
  const effectsAt = ownAt ?? composesAt;
  if (kinds.has('effects') && added.length > 0 && effectsAt !== undefined) {
    const names = added.map(([effect]) => effect).join(', ');
    drafts.push({
      at: effectsAt,
      label: ownAt === undefined ? `effects: ${names}` : `+ ${names}`,
      tooltip: paragraphs(md`A composite has every effect that its parts have:`, namesWithSource(added)),
    });
  }
  const isOwn = findSkillEntry(file.frontmatter.tree.root, 'operation') !== undefined;
  if (kinds.has('operation') && operation && !isOwn && composesAt !== undefined) {
    const by = nameOf(operation.by);
    drafts.push({
      at: composesAt,
      label: `operation: ${operation.name}`,
      tooltip: md`A composite's operation is the severest of its parts: ${by} is ${operation.name}.`,
    });
  }
  return drafts;
}

/** Behind a value on the key's own line, else behind the colon. */
function behindKey({ text, frontmatter }: SkillFile, key: string): number | undefined {
  const entry = findSkillEntry(frontmatter.tree.root, key);
  if (!entry) return undefined;
  const { value } = entry;
  if (value.kind === 'list' && value.flow) return value.span.end;
  const colon = text.indexOf(':', entry.key.span.end);
  return colon < 0 || colon > entry.span.end ? undefined : colon + 1;
}

/** The versions that ranges resolve to. */
function versions(analysis: Analysis, { contract }: SkillFile, root: IndexedSkill): readonly Draft[] {
  return contract.requires.flatMap(({ name, version }) => {
    const resolved = version && resolveSummary(analysis.graph, root.summary, name)?.summary.version;
    if (!resolved || resolved === version.name || !allows(version.name, resolved)) return [];
    return {
      at: version.span.end,
      label: `→ ${resolved}`,
      tooltip: md`The highest version of ${code(name)} in the workspace that \`requires\` allows.`,
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
    const how = measure === 'cost_usd' ? md`All parts together:` : md`Along the slowest way through the parts:`;
    const label = `parts: ${amountIn(measure, rolled.total)}`;
    return [{ at: node.span.end, label, tooltip: paragraphs(how, stepLines(rolled.steps, measure)) }];
  });
}
