/** Checks the fallbacks of errors: a constant, a field or a skill (docs/format.md, section 6, "Contracts"). */
import type { Analysis } from '../../analysis/analysis.ts';
import { replaceName } from '../../analysis/name-fixes.ts';
import type { Draft } from '../../finding.ts';
import { isUsable } from '../../languages/schema/schema.ts';
import { findValue, listItems, type YamlScalar } from '../../languages/yaml/node.ts';
import { didYouMean, nearestNames } from '../../nearest.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import { constantsIn, fallbackSchemas, findFallbackField } from '../../skill/fallbacks.ts';
import type { SkillFile } from '../../skill/skill-file.ts';

/** Reports a fallback that is an unknown name. A string that is not a name, or another value, is a constant. */
export function* checkFallbacks(file: SkillFile, analysis: Analysis): Iterable<Draft> {
  const fallbacks = listItems(findSkillEntry(file.frontmatter.tree.root, 'errors')?.value).flatMap((error) => {
    const node = findValue(error, 'fallback');
    return node?.kind === 'scalar' && isName(node) ? [node] : [];
  });
  const schemas = fallbackSchemas(file);
  if (fallbacks.length === 0 || analysis.partial || !schemas.every(isUsable)) return;
  const constants = new Set(schemas.flatMap(({ json }) => constantsIn(json)));
  for (const node of fallbacks) {
    const name = String(node.value);
    if (constants.has(name) || findFallbackField(file, name)) continue;
    if (analysis.skillsNamed(name, file.uri).length > 0) continue;
    const near = nearestNames(name, [
      ...constants,
      ...schemas.flatMap(({ fields }) => fields.map(({ name }) => name)),
      ...analysis.graph.names,
    ]);
    yield {
      // A string that is not similar to any known name may be a constant of the caller.
      ...(near.length === 0 ? { severity: 'warning' as const } : {}),
      span: node.span,
      message: `Unknown fallback \`${name}\`.${didYouMean(near) || ' Use a constant or a field from the schemas, or the name of a skill.'}`,
      fixes: replaceName(file, [node.span], near),
    };
  }
}

const isName = ({ value }: YamlScalar): boolean => typeof value === 'string' && /^[\w$.:/-]+$/.test(value);
