/** The texts about skills of plugins (docs/clients.md, "Skills of plugins"). */
import { inWords } from '../../nearest.ts';
import { type FilePath, splitPath } from '../pipeline/file.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import { manifestOf } from '../pipeline/plugin.ts';
import type { Manifest, PluginPlace } from '../pipeline/plugin-rules.ts';
import type { PredictedSkill } from '../pipeline/predict.ts';
import type { Stop } from '../pipeline/reading.ts';
import type { Cause } from './causes.ts';

/** Returns whether a stop is about the plugin that contains a file. */
export const isOfPlugin = (stop: Stop | undefined): boolean => stop?.code.startsWith('find/plugin-') === true;

/**
 * Returns whether a stop has its finding elsewhere: in a manifest, at the `SKILL.md` that hides others, or as a hint, because
 * an author may leave out a skill.
 */
export const isReportedElsewhere = ({ code }: Stop): boolean =>
  ['find/plugin-refused', 'find/plugin-name', 'find/plugin-other', 'find/plugin-depth', 'find/plugin-path'].includes(
    code,
  );

/**
 * Returns the condition under which a client finds a skill of a plugin, as sentences without the last period.
 *
 * @param hasRival true if another plugin has a skill with the name of this one
 */
export function pluginText(
  { plugins, resolve }: Pipeline,
  { name, path, isInPlace, others = [] }: PluginPlace,
  { plugins: around = [] }: FilePath,
  hasRival: boolean,
): string {
  const inner = around.find((one) => one.path === path);
  const kind = kindOf(inner && plugins && manifestOf(plugins, inner));
  if (isInPlace) {
    return `The client loads it with the plugin \`${name}\` from this folder, if the user trusts the folder of the project, or if it is in the home`;
  }
  const after = `after the ${kind} is installed with ${plugins?.installed ?? ''}`;
  if (others.length > 0)
    return `The client loads it once, with the ${kind} ${inWords([name, ...others.slice(0, MOST_PLUGINS)], 'or')} that was installed first, ${after}`;
  const clash =
    hasRival && resolve.plugins
      ? `. If another installed ${kind} has a skill of this name, the name begins with \`${name}:\``
      : '';
  return `The client loads it with the ${kind} \`${name}\`, ${after}${clash}`;
}

/** The most other plugins that a text names. */
const MOST_PLUGINS = 3;

/** Returns how a client calls a plugin with this manifest. */
const kindOf = (manifest: Manifest | undefined): string =>
  manifest?.path.endsWith('-extension.json') ? 'extension' : 'plugin';

/** Returns why a client loses a skill of a plugin, as a sentence without a period. */
export function lostText({ plugins }: Pipeline, { path, plugins: around = [] }: FilePath, stop: Stop | Cause): string {
  const { code, key = '' } = stop;
  const by = ('by' in stop ? stop.by : around[0]?.path) ?? '';
  const [inner] = around.filter(({ path: folder }) => by === folder || by.startsWith(`${folder}/`));
  const shown = (one: string): string => `\`${inner ? one.slice(inner.path.length + 1) || './' : one}\``;
  const manifest = inner && plugins && manifestOf(plugins, inner);
  const kind = kindOf(manifest);
  const name = `the ${kind} in \`${splitPath(inner?.path ?? by).name}\``;
  switch (code) {
    case 'find/plugin-refused':
      return refusedText(name, key, manifest);
    case 'find/plugin-name':
      return `Another ${kind} with the same name, \`${splitPath(by).name}\`, is loaded instead of this one`;
    case 'find/plugin-no-root':
      return `A \`SKILL.md\` in the root of ${kind === 'plugin' ? 'a plugin' : 'an extension'} is not loaded, only folders in \`skills\``;
    case 'find/plugin-root':
      return 'A `SKILL.md` in the root of a plugin is loaded only without a folder `skills`, or if the key `skills` names `./`';
    case 'find/plugin-other':
      return `${shown(by)} hides the other skills in its folder`;
    case 'find/plugin-depth':
      return `${plugins?.depth === 1 ? 'Only the folders directly in' : `At most ${String(plugins?.depth)} levels of folders below`} ${shown(by)} are skills of the ${kind}`;
    case 'find/plugin-command':
      return `${shown(by)} has the same name, and the client uses the command of a plugin instead of its skill`;
    default: {
      const isRead = plugins?.key !== 'ignored' || (manifest && plugins.copies?.includes(manifest.path));
      return `The ${kind} does not ship ${shown(splitPath(path).folder)}${isRead ? ': its manifest does not name this folder' : ', only folders in `skills`'}`;
    }
  }
}

function refusedText(name: string, key: string, manifest: Manifest | undefined): string {
  switch (key) {
    case '':
      return `The client does not load ${name}, because its manifest is not valid JSON`;
    case 'skills':
      return `The client does not load ${name}: each path in \`skills\` must begin with \`./\``;
    case 'strict':
      return `The client does not load ${name}: its manifest and the entry with \`strict: false\` both name components`;
    default: {
      const value = key === 'name' || key === 'version' ? manifest?.[key] : undefined;
      const fault = value?.trim() ? 'has a form that is not accepted' : 'is missing in its manifest, or is no text';
      return `The client does not load ${name}: \`${key}\` ${fault}`;
    }
  }
}

/** Returns how people call a skill, as the end of a sentence. */
export function callsOf({ deliver }: Pipeline, skill: PredictedSkill | undefined): string {
  const form = deliver?.person.by;
  if (!skill?.plugin || !skill.name.includes(':') || !form) return 'by its name';
  const bare = skill.label?.slice(skill.plugin.name.length + 1);
  const names = [skill.name, skill.label, bare].filter((name) => name !== undefined);
  const calls = names.map((name) => `\`${form.replace('{name}', name)}\``);
  return `with ${calls.join(' or ')}`;
}
