import type { Analysis } from '../../analysis/analysis.ts';
import { composedSkills } from '../../analysis/composed-skills.ts';
import { findPermission, isDisabledHere } from '../../analysis/permissions.ts';
import { removeComposedSkill } from '../../analysis/removals.ts';
import type { Fix } from '../../finding.ts';
import { fixIn, placesHere } from '../../finding.ts';
import { isDisabled } from '../../permissions/may-use.ts';
import { setEnabled } from '../../permissions/toggle.ts';
import { groupBy } from '../../skill/mentions.ts';
import type { Permission } from '../../skill/package.ts';
import { type Rule, SKILLS } from '../engine/rule.ts';

/** Reports a disabled skill in an enabled composite, once for each skill. */
export const disabledPart: Rule = {
  name: 'disabled-part',
  severity: 'warning',
  evidence: { kind: 'spec', source: 'docs/format.md, section 6, "Permissions"' },
  dialects: SKILLS,
  about: 'composition',
  *check(file, analysis) {
    if (isDisabledHere(analysis, file)) return;
    for (const [first, ...others] of groupBy(composedSkills(analysis, file), ({ skill }) => skill.uri).values()) {
      const permission = findPermission(analysis, first.skill);
      if (!permission || !isDisabled(permission) || isBroken(analysis, permission)) continue;
      const { name, span } = first.named;
      const more = others.map(({ named }) => named);
      const entry = file.contract.composes[first.entry];
      yield {
        span,
        message: `\`${name}\` is disabled in this workspace, so this skill cannot run here either. Enable it, or compose another skill.`,
        related: [
          { uri: permission.uri, span: permission.span, message: `\`${name}\` is disabled here` },
          ...placesHere(file, more, `\`${name}\` is also composed here`),
        ],
        fixes: [
          ...enableFix(analysis, permission, name),
          ...(entry && others.length === 0
            ? removeComposedSkill(file, entry, `Remove \`${name}\` from \`composes\``)
            : []),
        ],
      };
    }
  },
};

/** Returns true if the catalog does not parse, so that its permissions are not known. */
const isBroken = (analysis: Analysis, { uri }: Permission): boolean =>
  analysis.file(uri)?.frontmatter.tree.broken !== false;

function enableFix(analysis: Analysis, { uri }: Permission, name: string): readonly Fix[] {
  const catalog = analysis.file(uri);
  const edits = catalog ? setEnabled(catalog, name, true) : [];
  return fixIn(`Enable \`${name}\` in this workspace`, [{ uri, edits }]);
}
