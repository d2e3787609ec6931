import { chooseFraming } from '../composer/find-framing.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { framingParts } from './common/framing-parts.ts';
import type { Rule } from './rule.ts';

/** A PromptTemplate that neither renders the framing nor is included by one that does. */
export const unusedTemplate: Rule = {
  name: 'unused-template',
  severity: 'hint',
  evidence: { kind: 'spec', source: 'docs/format.md, section 5' },
  dialects: ['composer'],
  *check(file) {
    const used = reachable(file);
    if (!used) return;
    for (const { artifact } of file.templates) {
      if (used.has(artifact.name)) continue;
      yield {
        span: artifact.nameSpan ?? artifact.kindSpan,
        message: `Nothing uses \`${artifact.name}\`: it neither renders the framing nor is included by a template that does. Name it in \`framing\`, include it, or remove it.`,
        tag: 'unnecessary',
      };
    }
  },
};

/** The names of the templates that a rendering may use; undefined where that is not known. */
function reachable(file: SkillFile): ReadonlySet<string> | undefined {
  const { templates, contract } = file;
  const chosen = contract.framing ? { template: contract.framing.name } : chooseFraming(framingParts(file));
  // Which one was meant is not known; `missing-framing` says so.
  if (chosen === undefined) return undefined;
  const used = new Set<string>(typeof chosen === 'object' ? [chosen.template] : []);
  // A loop over a set also visits what is added meanwhile.
  for (const name of used) {
    // An unknown name was likely meant for one of those that seem unused; it has its own finding.
    if (!templates.some(({ artifact }) => artifact.name === name)) return undefined;
    for (const { artifact, source } of templates) {
      if (artifact.name !== name) continue;
      const { scopes } = source;
      if (scopes.references.some(({ dynamic }) => dynamic)) return undefined;
      for (const { names } of scopes.references) for (const included of names) used.add(included.name);
    }
  }
  return used;
}
