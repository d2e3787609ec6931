/** Rules about the levels of skills (docs/format.md, section 4). */
import type { Analysis } from '../../analysis/analysis.ts';
import {
  composedSkills,
  declaresLevel,
  levelAboveComposed,
  levelConflicts,
  placeOfLevel,
  resolvedSkill,
  setLevel,
} from '../../analysis/composed-skills.ts';
import { removeFromList } from '../../analysis/removals.ts';
import type { Draft, Fix } from '../../finding.ts';
import { fixHere } from '../../finding.ts';
import { removeEntry } from '../../languages/yaml/edit.ts';
import { findValue, type YamlNode } from '../../languages/yaml/node.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { missingKeySpan } from '../../skill/skill-file.ts';
import { sliceOf } from '../../text.ts';
import { levelsOf } from '../../workspace/order.ts';
import { valueProblems } from '../any-file/shape-problems.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

export const invalidLevel: Rule = {
  name: 'invalid-level',
  number: 'E009',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4' },
  dialects: SKILLS,
  *check(file, analysis) {
    yield* unwrittenLevel(analysis, file);
    const node = findValue(file.frontmatter.tree.root, 'level');
    for (const { span } of valueProblems(file, 'invalid-level')) {
      const level = node && guessLevel(node);
      yield {
        span,
        message: `${quoted(sliceOf(file.text, span))} is not a level. Write 1 (atomic, composes nothing), 2 (composite, composes level 1) or 3 (workflow, composes levels 1 and 2).`,
        fixes: level ? setLevel(file, level, `Set the level to ${level}`) : [],
      };
    }
  },
};

/** Reports a composite without a level. If its level would be above 3, `invalid-l3-compose` reports the composed skill. */
function* unwrittenLevel(analysis: Analysis, file: SkillFile): Generator<Draft> {
  const level = declaresLevel(file) ? undefined : levelAboveComposed(analysis, file);
  if (level === undefined || level > 3) return;
  yield {
    severity: 'hint',
    span: missingKeySpan(file),
    message: `This composite has no \`level\`; its composed skills imply level ${level}. Add \`level: ${level}\`, so that a change to them does not change the level.`,
    fixes: setLevel(file, level, `Add \`level: ${level}\``),
  };
}

const quoted = (source: string): string => (/^[^\r\n]{1,40}$/.test(source) ? `\`${source}\`` : 'This');

const WORDS: ReadonlyMap<string, number> = new Map(Object.entries({ atomic: 1, composite: 2, workflow: 3 }));

/** Returns the level nearest to a number, or the level that a word such as `L2` or `composite` names. */
function guessLevel(node: YamlNode): number | undefined {
  if (node.kind !== 'scalar') return undefined;
  if (typeof node.value === 'number') return Math.min(3, Math.max(1, Math.round(node.value)));
  const word = String(node.value).trim().toLowerCase();
  const digit = /^(?:l|level)?[ _-]?([123])(?:\.0+)?$/.exec(word)?.[1];
  return digit ? Number(digit) : WORDS.get(word);
}

export const levelViolation: Rule = {
  name: 'level-violation',
  number: 'E010',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    const { level, composes } = file.contract;
    const node = findValue(file.frontmatter.tree.root, 'level');
    if (level !== 1 || composes.length === 0 || !node) return;
    const lowest = levelAboveComposed(analysis, file) ?? 2;
    const wanted = lowest > 3 ? undefined : lowest;
    const many = composes.length === 1 ? `\`${composes[0]?.name}\`` : `${composes.length} skills`;
    yield {
      span: node.span,
      message: `A skill of level 1 cannot compose skills, but this one composes ${many}. ${wanted ? `Raise the level to ${wanted}, or remove` : 'Remove'} \`composes\`.`,
      related: composes.map(({ span, name }) => ({ uri: file.uri, span, message: `\`${name}\` is composed here` })),
      fixes: [...(wanted ? setLevel(file, wanted, `Raise the level to ${wanted}`) : []), ...removeComposes(file)],
    };
  },
};

function removeComposes(file: SkillFile): Fix[] {
  const { root } = file.frontmatter.tree;
  return root?.kind === 'map' ? fixHere(file, 'Remove `composes`', removeEntry(file.text, root, 'composes')) : [];
}

export const invalidL2Compose: Rule = {
  name: 'invalid-l2-compose',
  number: 'E014',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    yield* levelConflicts(analysis, file, 2, 'A skill of level 2 can compose only skills of level 1');
  },
};

export const invalidL3Compose: Rule = {
  name: 'invalid-l3-compose',
  number: 'E015',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 4' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    yield* levelConflicts(analysis, file, 3, 'A skill of level 3 can compose only skills of levels 1 and 2');
    yield* workflows(analysis, file);
  },
};

/** Reports the workflows that a skill without a level composes, because they would give that skill level 4. */
function* workflows(analysis: Analysis, file: SkillFile): Generator<Draft> {
  const root = resolvedSkill(analysis, file);
  if (!root || declaresLevel(file)) return;
  const wayBack = analysis.graph.waysBackOf(root);
  const levels = levelsOf(analysis.graph, root);
  for (const { skill, named } of composedSkills(analysis, file)) {
    if (levels.get(skill.uri) !== 3 || wayBack(skill.uri)) continue;
    yield {
      span: named.span,
      message: `\`${named.name}\` has level 3, so this skill would have level 4, which does not exist. Compose the skills of \`${named.name}\` instead.`,
      related: placeOfLevel(analysis, skill),
      fixes: removeFromList(file, 'composes', named.span, `Remove \`${named.name}\` from \`composes\``),
    };
  }
}
