import { chooseFraming, framingParts } from '../../composer/find-framing.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import type { Rule } from '../engine/rule.ts';

/** Reports a PromptTemplate that is neither the framing nor included by the framing. */
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
        message: `No prompt uses \`${artifact.name}\`. Name it in \`framing\`, include it in the framing, or remove it.`,
        tag: 'unnecessary',
      };
    }
  },
};

/** Returns the names of the templates that a rendering may use; undefined if they are not known. */
function reachable(file: SkillFile): ReadonlySet<string> | undefined {
  const { templates, contract } = file;
  const chosen = contract.framing ? { template: contract.framing.name } : chooseFraming(framingParts(file));
  // `missing-framing` reports that the framing is not known.
  if (chosen === undefined) return undefined;
  const used = new Set<string>(typeof chosen === 'object' ? [chosen.template] : []);
  // A loop over a set also visits elements that are added during the loop.
  for (const name of used) {
    // An unknown name may be a misspelling of a template that seems unused. Another rule reports the name.
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
