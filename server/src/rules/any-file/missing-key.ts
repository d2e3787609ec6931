import type { Draft } from '../../finding.ts';
import { isComposite } from '../../skill/contract.ts';
import { adviceIfNamedById, draftOfMissingKey, hasFrontmatter, placeholderDraft } from '../../skill/insert-key.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { renameKey, type ShapeProblem } from '../../vocabulary/check-shape.ts';
import type { Rule } from '../engine/rule.ts';
import { fixesOf, keyProblems, misspeltMandatoryKeys } from './shape-problems.ts';

export const missingKey: Rule = {
  name: 'missing-key',
  severity: 'error',
  evidence: { kind: 'spec', source: 'docs/format.md, section 2' },
  dialects: ['composer', 'contract', 'catalog'],
  readsCertainKeys: true,
  readsTests: true,
  prevents: ['composition'],
  *check(file) {
    if (file.dialect !== 'catalog' && !hasFrontmatter(file)) return;
    for (const problem of keyProblems(file, 'missing-key')) {
      if (!isSchemaOfComposite(file, problem)) yield draftOf(file, problem);
    }
    const placeholder = file.dialect === 'catalog' ? undefined : placeholderDraft(file);
    if (placeholder) yield placeholder;
  },
};

/** At levels 2 and 3, `missing-input-schema` reports a missing schema. */
const isSchemaOfComposite = ({ contract }: SkillFile, { key, depth }: ShapeProblem): boolean =>
  depth === 0 && key === 'input_schema' && isComposite(contract);

function draftOf(file: SkillFile, { key, depth, span, message, fixes }: ShapeProblem): Draft {
  if (depth > 0) return { span, message, fixes: fixesOf(file, fixes) };
  const misspelt = misspeltMandatoryKeys(file).get(key);
  if (misspelt) {
    return {
      about: [key],
      span: misspelt.span,
      message: `Unknown key \`${misspelt.key}\`. Did you mean \`${key}\`, which is missing?`,
      fixes: fixesOf(file, [renameKey(misspelt.span, key)]),
    };
  }
  const { isNamedById } = file.contract;
  const advice =
    isNamedById && key === 'name' ? `Other programs do not use the \`id\` as the name. Add it.` : ADVICE.get(key);
  const draft = draftOfMissingKey(file, key, span, advice ?? '');
  return { ...draft, about: [key], ...(advice ? {} : { message }), ...adviceIfNamedById(file) };
}

const ADVICE: ReadonlyMap<string, string> = new Map(
  Object.entries({
    name: 'Add the name of the file, in lower-case words joined by hyphens.',
    description: 'Say what the skill does and when to use it.',
    version: 'Add it, for example `version: 1.0.0`.',
    input_schema: 'Add it, for example `input_schema: {}`.',
  }),
);
