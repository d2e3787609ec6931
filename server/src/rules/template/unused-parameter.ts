import { templateCode } from '../../analysis/template-code.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import { parameterNames } from '../../skill/parameters.ts';
import { sliceOf } from '../../text.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** The largest number of parameters that are checked. The whole body is searched for each parameter. */
const MAX_PARAMETERS = 500;

/**
 * Reports a parameter that no template and no condition uses. Composites, and skills without templates, are skipped: a
 * literal framing passes all parameters in the request, and a composite passes its parameters to its steps.
 */
export const unusedParameter: Rule = {
  name: 'unused-parameter',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5, "Kinds"' },
  dialects: SKILLS,
  *check(file) {
    const { templates, contract, body, text } = file;
    if (templates.length === 0 || contract.composes.length > 0 || !body || body.scanned.length > 0) return;
    if (
      templates.some(({ source }) => source.template.problems.length > 0) ||
      !parameterNames(file.contract.input?.schema)
    )
      return;
    const used = new Set(templateCode(file).flatMap(({ scopes }) => scopes.undefinedUses.map(({ name }) => name)));
    if (used.has('parameters')) return;
    const key = findSkillEntry(file.frontmatter.tree.root, 'input_schema')?.key.value;
    for (const { name, keySpan } of (contract.input?.schema.fields ?? []).slice(0, MAX_PARAMETERS)) {
      // A parameter that prose names is used: the prose explains it to the model.
      if (used.has(name) || mentions(sliceOf(text, body.span), name)) continue;
      yield {
        span: keySpan,
        message: `No template and no condition uses \`${name}\`. Use it, or remove it from \`${String(key)}\`.`,
        tag: 'unnecessary',
      };
    }
  },
};

function mentions(prose: string, name: string): boolean {
  for (let at = prose.indexOf(name); at >= 0; at = prose.indexOf(name, at + 1)) {
    const around = `${prose[at - 1] ?? ' '}${prose[at + name.length] ?? ' '}`;
    if (!/\w/.test(around)) return true;
  }
  return false;
}
