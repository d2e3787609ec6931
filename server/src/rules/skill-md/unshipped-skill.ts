import type { Analysis } from '../../analysis/analysis.ts';
import { isDirectSkill, ownersOfPlugins, type PluginLoss, pluginLosses } from '../../analysis/plugin-losses.ts';
import { targetClients } from '../../analysis/targets.ts';
import { skillsFolderOf } from '../../clients/matrix/client-folders.ts';
import type { Subject } from '../../clients/matrix/subject.ts';
import { splitPath } from '../../clients/pipeline/file.ts';
import { isSetAside } from '../../clients/pipeline/plugin.ts';
import type { Draft, Fix } from '../../finding.ts';
import { fixIn } from '../../finding.ts';
import { inWords, listed } from '../../nearest.ts';
import { missingKeySpan, type SkillFile } from '../../skill/skill-file.ts';
import { manifestOf, type Plugin } from '../../skill-folder/plugins.ts';
import { span } from '../../text.ts';
import {
  decoded,
  fileNameOf,
  folderOf,
  isExtensionManifest,
  skillsFolderOf as skillsFolder,
} from '../../vocabulary/dialect.ts';
import type { Rule } from '../engine/rule.ts';

/** A skill in the folder of a plugin that the plugin does not ship, or that keeps clients from loading others. */
export const unshippedSkill: Rule = {
  name: 'unshipped-skill',
  severity: 'hint',
  evidence: { kind: 'vendor', source: 'https://code.claude.com/docs/en/plugins-reference', checked: '2026-11-30' },
  dialects: ['agent-skill'],
  *check(file, analysis) {
    const { agentSkills, partial } = analysis;
    const subject = agentSkills.find(file.uri);
    if (!subject || partial) return;
    yield* checkHidden(file, analysis, subject);
    const isPlain = (above: Subject): boolean => !isBesideManifest(above);
    if (agentSkills.isWithinSkill(subject, isPlain)) return;
    const owners = ownersOfPlugins(subject);
    const isKnown = owners.length > 0 && !skillsFolderOf(subject);
    const losses = isKnown ? pluginLosses(analysis, file, owners) : [];
    const unnamed = losses.filter(({ reason }) => PATHS.has(reason.cause?.code ?? ''));
    if (!isKnown || unnamed.length > 0) yield* checkPath(file, analysis, subject, unnamed);
    const targets = targetClients(analysis, file);
    // `agent-skill-not-loaded` reports a loss in a target client.
    const isTarget = losses.some(({ client }) => targets.includes(client));
    const root = losses.filter(({ reason }) => ROOT.has(reason.cause?.code ?? ''));
    const [first] = isTarget ? [] : root;
    if (first) {
      const names = listed(root.map(({ client }) => client.name));
      yield {
        span: missingKeySpan(file),
        severity: 'warning',
        message: `${names} ${root.length === 1 ? 'does' : 'do'} not load this skill. ${first.reason.text} Move it to a folder in \`skills\`.`,
      };
    }
  },
};

/** The causes that a `SKILL.md` is beside the manifest. */
const ROOT: ReadonlySet<string> = new Set(['find/plugin-root', 'find/plugin-no-root']);

/** The causes that a folder has another place than the manifest says. */
const PATHS: ReadonlySet<string> = new Set(['find/plugin-path', 'find/plugin-depth']);

/** Reports a skill beside the skills of a plugin that no manifest ships. */
function* checkPath(
  file: SkillFile,
  analysis: Analysis,
  subject: Subject,
  losses: readonly PluginLoss[],
): Iterable<Draft> {
  const { plugins } = analysis;
  if (plugins.shipping(file.uri).length > 0 && losses.length === 0) return;
  const listing = plugins.listing(skillsFolder(file.uri));
  const deep = losses.filter(({ reason }) => reason.cause?.code === 'find/plugin-depth');
  // If the folder is too deep for a client, the client reads `skills` beside the list.
  const near = deep.length > 0 ? plugins.above(file.uri) : plugins.around(file.uri);
  const around = near.filter(({ root }) => !isSetAside(file.uri.slice(root.length)));
  const [plugin] = listing.length > 0 ? listing : around;
  if (!plugin) {
    const [loss] = losses;
    if (loss && isMisspelt(subject)) {
      const message = `${loss.reason.text} Move it to \`skills\`, or name its folder in the manifest.`;
      yield { span: missingKeySpan(file), message };
    }
    return;
  }
  const named = [...new Set((listing.length > 0 ? listing : around).map(({ name }) => name))].sort().slice(0, 3);
  const names = inWords(named, 'and');
  const isOne = named.length === 1;
  const isExtension = [...listing, ...around].every(({ manifest }) => isExtensionManifest(manifest));
  const shipped = `The ${isExtension ? 'extension' : 'plugin'}${isOne ? '' : 's'} ${names} ${isOne ? 'does' : 'do'} not ship this skill`;
  const losing = deep.length > 0 ? ` in ${listed(deep.map(({ client }) => client.name))}` : '';
  yield {
    span: missingKeySpan(file),
    message:
      listing.length > 0
        ? `No plugin ships this skill, but ${names} ${isOne ? 'lists' : 'list'} skills beside it. Add its folder to \`skills\` in the manifest.`
        : `${shipped}${losing}: its folder is too deep. Move it directly into \`skills\`${isExtension ? '' : ', or add it to `skills` in the manifest'}.`,
    fixes: listing.length === 1 ? listSkill(analysis, plugin, file.uri) : [],
  };
}

/** Returns whether a skill is in the root of a plugin, which may have other skills. */
const isBesideManifest = ({ file: { path, plugins = [] } }: Subject): boolean =>
  plugins.some((plugin) => plugin.path === splitPath(path).folder);

/** Returns whether a skill is in a folder that looks like the folder `skills` of its plugin. */
function isMisspelt({ file: { path, plugins: [plugin] = [] } }: Subject): boolean {
  const name = plugin && /^\/((?:\.[\w-]+\/)?skills?)\//i.exec(path.slice(plugin.path.length))?.[1];
  return name !== undefined && name !== 'skills';
}

/**
 * Reports a skill directly in a folder of skills, which hides the others there. The finding is here, because they have no
 * fault.
 */
function* checkHidden(file: SkillFile, analysis: Analysis, subject: Subject): Iterable<Draft> {
  if (!isDirectSkill(subject)) return;
  const folder = folderOf(file.uri);
  const others = analysis.agentSkills.directlyBelow(folder);
  const [first] = others.map(({ uri }) => analysis.file(uri)).filter((one) => one !== undefined);
  const losses = first ? pluginLosses(analysis, first) : [];
  const hidden = losses.filter(({ reason }) => reason.cause?.code === 'find/plugin-other');
  const known = [...ownersOfPlugins(subject), ...targetClients(analysis, file)];
  if (!first || !hidden.some(({ client }) => known.includes(client))) return;
  const names = listed(hidden.map(({ client }) => client.name));
  const isOne = hidden.length === 1;
  const count = others.length === 1 ? 'the other one' : `the ${others.length} others`;
  yield {
    span: missingKeySpan(file),
    severity: 'warning',
    message: `${names} ${isOne ? 'loads' : 'load'} only this skill of \`${decoded(fileNameOf(folder))}\`, and not ${count}. Move this file to a folder of its own.`,
    related: [{ uri: first.uri, span: span(0, 0), message: 'A skill that is not loaded' }],
  };
}

/** Offers to add the folder of a skill to the manifest, after the last skill in the same folder. */
function listSkill(analysis: Analysis, { manifest, root }: Plugin, uri: string): readonly Fix[] {
  const file = analysis.file(manifest);
  const folder = skillsFolder(uri);
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
