/** The texts about skills of plugins (docs/clients.md, "Skills of plugins"). */
import { type FilePath, splitPath } from '../pipeline/file.ts';
import type { Pipeline } from '../pipeline/pipeline.ts';
import type { PluginPlace } from '../pipeline/plugin-rules.ts';
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
  ['find/plugin-refused', 'find/plugin-name', 'find/plugin-other', 'find/plugin-depth'].includes(code);

/** Returns the condition under which a client finds a skill of a plugin, as a sentence without a period. */
export function pluginText({ plugins }: Pipeline, { name, isInPlace }: PluginPlace): string {
  if (isInPlace) {
    return `The client loads it with the plugin \`${name}\` from this folder, if the user trusts the folder of the project, or if it is in the home`;
  }
  return `The client loads it with the plugin \`${name}\`, after the plugin is installed with ${plugins?.installed ?? ''}`;
}

/** Returns why a client loses a skill of a plugin, as a sentence without a period. */
export function lostText({ plugins }: Pipeline, { path, plugins: around = [] }: FilePath, stop: Stop | Cause): string {
  const { code, key = '' } = stop;
  const by = ('by' in stop ? stop.by : around[0]?.path) ?? '';
  const [inner] = around.filter(({ path: folder }) => by === folder || by.startsWith(`${folder}/`));
  const shown = (one: string): string => `\`${inner ? one.slice(inner.path.length + 1) || './' : one}\``;
  const name = `the plugin in \`${splitPath(inner?.path ?? by).name}\``;
  switch (code) {
    case 'find/plugin-refused':
      return refusedText(name, key);
    case 'find/plugin-name':
      return `Another plugin with the same name, \`${splitPath(by).name}\`, is loaded instead of this one`;
    case 'find/plugin-no-root':
      return 'A `SKILL.md` in the root of a plugin is not loaded, only folders in `skills`';
    case 'find/plugin-root':
      return 'A `SKILL.md` in the root of a plugin is loaded only without a folder `skills`, or if the key `skills` names `./`';
    case 'find/plugin-other':
      return `${shown(by)} hides the other skills in its folder`;
    case 'find/plugin-depth':
      return `${plugins?.depth === 1 ? 'Only the folders directly in' : `At most ${String(plugins?.depth)} levels of folders below`} ${shown(by)} are skills of the plugin`;
    case 'find/plugin-command':
      return `${shown(by)} has the same name, and the client uses the command of a plugin instead of its skill`;
    default:
      return `The plugin does not ship ${shown(splitPath(path).folder)}${plugins?.key === 'ignored' ? '' : ': its manifest does not name this folder'}`;
  }
}

function refusedText(name: string, key: string): string {
  switch (key) {
    case '':
      return `The client does not load ${name}, because its manifest is not valid JSON`;
    case 'skills':
      return `The client does not load ${name}: each path in \`skills\` must begin with \`./\``;
    case 'strict':
      return `The client does not load ${name}: its manifest and the entry with \`strict: false\` both name components`;
    default:
      return `The client does not load ${name}: \`${key}\` is missing in its manifest, or has a form that is not accepted`;
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
