import type { Analysis } from '../analysis/analysis.ts';
import type { Draft } from '../finding.ts';
import { formatScalar, insertEntry } from '../languages/yaml/edit.ts';
import { listItems } from '../languages/yaml/node.ts';
import { findSkillEntry, type Named } from '../skill/contract.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { contains, type Span, sliceOf, type TextEdit } from '../text.ts';
import { diamondsOf } from '../workspace/shared-skills.ts';
import type { IndexedSkill } from '../workspace/workspace-index.ts';
import { listedUpTo, nameOf, placeOfEntry, resolvedSkill } from './common/composed-skills.ts';
import { fixesOfDiamond, removeFromList } from './common/removals.ts';
import { fixHere, type Rule, SKILLS } from './rule.ts';

/**
 * Reports a skill that two entries compose. The finding is in the composite where the paths meet, at the entry where
 * the second path begins.
 */
export const diamondDependency: Rule = {
  name: 'diamond-dependency',
  number: 'E016',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4, "Diamonds"' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    const root = resolvedSkill(analysis, file);
    if (!root || root.summary.composes.length < 2) return;
    yield* checkComposedTwice(file, analysis, root);
    for (const diamond of diamondsOf(analysis.graph, root)) {
      const { shared, entry, composers } = diamond;
      const named = file.contract.composes[entry];
      if (!named) continue;
      const name = nameOf(shared);
      const names = composers.map((composer) => (composer === root ? 'this skill' : `\`${nameOf(composer)}\``));
      const times = composers.length === 2 ? 'twice' : `${composers.length} times`;
      yield {
        span: named.span,
        message: `Diamond dependency: \`${name}\` is composed by ${composers.length === 2 ? 'both ' : ''}${listedUpTo(names)}, so each run of this skill runs it ${times}. Compose it once in this skill, cache its result, or suppress this finding if it is intended.`,
        related: composers
          .slice(0, 30)
          .flatMap((composer) =>
            placeOfEntry(analysis, composer, shared, `\`${nameOf(composer)}\` composes \`${name}\``),
          ),
        fixes: fixesOfDiamond(analysis, file, root, diamond),
      };
    }
  },
};

/** Reports a skill that is composed twice under one step name. */
function* checkComposedTwice(file: SkillFile, { graph }: Analysis, root: IndexedSkill): Iterable<Draft> {
  const { composes } = file.contract;
  const resolved = new Set(graph.composedSkillsOf(root).map(({ entry }) => entry));
  const first = new Map<string, Span>();
  const taken = new Set(composes.map(({ step }) => step));
  for (const [at, { name, step, span, as }] of composes.entries()) {
    const key = JSON.stringify([name, step]);
    const earlier = first.get(key);
    if (!resolved.has(at)) continue;
    if (!earlier) {
      first.set(key, span);
      continue;
    }
    const free = freeName(step, taken);
    taken.add(free);
    yield {
      span,
      message: `Diamond dependency: \`${name}\` is composed twice under one name, so one output replaces the other. Name the steps with \`as\`, or remove one.`,
      related: [{ uri: file.uri, span: earlier, message: `\`${name}\` is first composed here` }],
      fixes: [
        ...fixHere(file, `Name this step \`${free}\``, nameStep(file, span, as, free)),
        ...removeFromList(file, 'composes', span, `Remove this \`${name}\` from \`composes\``),
      ],
    };
  }
}

function freeName(step: string, taken: ReadonlySet<string>): string {
  let number = 2;
  while (taken.has(`${step}-${number}`)) number++;
  return `${step}-${number}`;
}

function nameStep(file: SkillFile, place: Span, as: Named | undefined, name: string): readonly TextEdit[] {
  const { text, frontmatter } = file;
  const item = listItems(findSkillEntry(frontmatter.tree.root, 'composes')?.value).find((one) =>
    contains(one.span, place),
  );
  if (as) return [{ span: as.span, newText: name }];
  if (item?.kind === 'map') return insertEntry(text, item, 'as', formatScalar(name, true), { after: 'skill' });
  const source = sliceOf(text, place);
  return /^[*&!]/.test(source) ? [] : [{ span: place, newText: `{skill: ${source}, as: ${name}}` }];
}
