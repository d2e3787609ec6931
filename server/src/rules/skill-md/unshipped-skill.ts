import type { Analysis } from '../../analysis/analysis.ts';
import type { Fix } from '../../finding.ts';
import { fixIn } from '../../finding.ts';
import { inWords } from '../../nearest.ts';
import { missingKeySpan } from '../../skill/skill-file.ts';
import { manifestOf, type Plugin } from '../../skill-folder/plugins.ts';
import { span } from '../../text.ts';
import { decoded, fileNameOf, folderOf, skillsFolderOf } from '../../vocabulary/dialect.ts';
import type { Rule } from '../engine/rule.ts';

/** A skill beside the skills of a plugin that no manifest ships. */
export const unshippedSkill: Rule = {
  name: 'unshipped-skill',
  severity: 'hint',
  evidence: { kind: 'vendor', source: 'https://code.claude.com/docs/en/plugins-reference', checked: '2026-11-27' },
  dialects: ['agent-skill'],
  *check(file, analysis) {
    const { plugins, agentSkills } = analysis;
    const subject = agentSkills.find(file.uri);
    if (plugins.all.length === 0 || !subject || analysis.partial || plugins.shipping(file.uri).length > 0) return;
    if (agentSkills.isWithinSkill(subject)) return;
    const listing = plugins.listing(skillsFolderOf(file.uri));
    const around = plugins.around(file.uri).filter(({ root }) => !isSetAside(file.uri.slice(root.length)));
    const [plugin] = listing.length > 0 ? listing : around;
    if (!plugin) return;
    const names = inWords(
      [...new Set((listing.length > 0 ? listing : around).map(({ name }) => name))].slice(0, 3),
      'and',
    );
    yield {
      span: missingKeySpan(file),
      message:
        listing.length > 0
          ? `No plugin ships this skill, but ${names} ${listing.length === 1 ? 'lists' : 'list'} skills beside it. Add its folder to \`skills\` in the manifest.`
          : `The plugin ${names} does not ship this skill: clients read only the folders directly in \`skills\`. Move the folder, or add it to \`skills\` in the manifest.`,
      fixes: listing.length === 1 ? listSkill(analysis, plugin, file.uri) : [],
    };
  },
};

/** Returns whether a path is in a hidden folder, or in a folder for tests and drafts. */
const isSetAside = (path: string): boolean =>
  /\/(?:\.|_|tests?\/|__tests__\/|examples?\/|templates?\/|fixtures\/|in-progress\/|wip\/|archived?\/|deprecated\/|drafts?\/|evals?\/)/i.test(
    path,
  );

/** Offers to add the folder of a skill to the manifest, after the last skill in the same folder. */
function listSkill(analysis: Analysis, { manifest, root }: Plugin, uri: string): readonly Fix[] {
  const file = analysis.file(manifest);
  const folder = skillsFolderOf(uri);
  const last =
    file &&
    manifestOf(file)
      .places.filter((place) => place.folder === root && folderOf(place.uri) === folder)
      .at(-1);
  if (!last) return [];
  const before = /(?:^|[[,])(\s*)"$/.exec(file.text.slice(0, last.span.start))?.[1] ?? ' ';
  const own = fileNameOf(folderOf(uri));
  const path = last.path.replace(/\/$/, '');
  const written = JSON.stringify(path.slice(0, path.length - fileNameOf(path).length) + decoded(own));
  const at = last.span.end + 1;
  return fixIn(`Add ${written.replaceAll('"', '`')} to the manifest`, [
    { uri: manifest, edits: [{ span: span(at, at), newText: `,${before === '' ? ' ' : before}${written}` }] },
  ]);
}
