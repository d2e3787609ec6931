/** The predictions of the clients' pipelines about the situations of an observation, without files on the disk. */
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { PluginFolders } from '../server/src/analysis/plugin-folders.ts';
import type { AdmitAnswer } from '../server/src/clients/pipeline/admit.ts';
import { type ClientFile, type ClientPlace, type PathLinks, textFile } from '../server/src/clients/pipeline/file.ts';
import type { Pipeline } from '../server/src/clients/pipeline/pipeline.ts';
import type { PluginFolder } from '../server/src/clients/pipeline/plugin-rules.ts';
import { isLost, type Prediction, predict } from '../server/src/clients/pipeline/predict.ts';
import type { ReadRules } from '../server/src/clients/pipeline/read.ts';
import type { Result } from '../server/src/clients/pipeline/setting.ts';
import type { SkillsFolders } from '../server/src/services/observing/observed-client.ts';
import { SkillFile } from '../server/src/skill/skill-file.ts';
import { folderManifests } from '../server/src/skill-folder/folder-manifests.ts';
import { CLIENTS, clientCalled } from './clients/index.ts';
import { belongsTo } from './messages.ts';
import type { Observation, Seen } from './observation.ts';
import type { Comparison, Verdict } from './predict.ts';
import { ALONE, READING } from './situations/index.ts';
import type { Situation } from './situations/situation.ts';

/** The paths that stand for the folders of a run, as they are in an observation. */
const [WORKSPACE, HOME] = ['{workspace}', '{home}'];

/** The conditions that hold in the lab: it trusts folders, and approves calls. */
export const CONDITIONS: readonly AdmitAnswer[] = ['if-trusted', 'if-approved'];

/**
 * Returns the committed observations by the ID of the client with its steps.
 *
 * @param lab the path of the folder `lab`
 */
export function observationsOf(lab: string): ReadonlyMap<string, Observation> {
  return new Map(
    CLIENTS.flatMap(({ id, facts = id }) => {
      const path = join(lab, 'observations', `${id}.json`);
      if (!existsSync(path)) return [];
      return [[facts, JSON.parse(readFileSync(path, 'utf8')) as Observation] as const];
    }),
  );
}

/** A workspace of situations, as a client finds it. */
export interface WrittenSituations {
  readonly situations: readonly Situation[];
  readonly files: readonly ClientFile[];
  readonly place: ClientPlace;
}

/** Returns the observed situations by workspace. A situation is in the one in which it was asked last. */
export function groupsOf({ situations, lists }: Observation): readonly (readonly Situation[])[] {
  const isObserved = ({ id }: Situation): boolean => situations[id] !== undefined;
  const shared = new Map<number, Situation[]>();
  for (const one of READING.filter(isObserved)) {
    const at = lists.findLastIndex((list) => list.situations.includes(one.id));
    shared.set(at, [...(shared.get(at) ?? []), one]);
  }
  return [...shared.values(), ...ALONE.filter(isObserved).map((one) => [one])].filter(({ length }) => length > 0);
}

/** Returns the workspaces of an observation, with their files. */
export function workspacesOf(observation: Observation): readonly WrittenSituations[] {
  const { skills } = clientCalled(observation.client);
  return groupsOf(observation).map((group) => {
    const [{ start } = { start: undefined }] = group;
    const place = {
      start: start === undefined ? WORKSPACE : `${WORKSPACE}/${start}`,
      repository: WORKSPACE,
      home: HOME,
    };
    return { situations: group, files: filesOf(group, skills), place };
  });
}

/**
 * Compares an observation with the predictions of a pipeline.
 *
 * @returns one comparison for each situation that was observed
 */
export function compareWith(
  pipeline: Pipeline,
  observation: Observation,
  workspaces = workspacesOf(observation),
): readonly Comparison[] {
  const { ownList } = clientCalled(observation.client);
  const seenSteps = ownList ? { ...pipeline, entry: { ...pipeline.entry, line: ownList.line } } : pipeline;
  const comparedOf = (entry: string): string => (ownList ? entry.replace(ownList.leftOut, '') : entry);
  return workspaces.flatMap(({ situations, files, place }) => {
    const predictions = [...predict(seenSteps, files, place).values()];
    return situations.map((situation) => {
      const own = predictions.map((results) => entriesOf(results, situation)).filter(({ length }) => length > 0);
      const seen = seenIn(observation, situation).map((entries) => entries.map(comparedOf));
      return {
        situation: situation.id,
        verdict: verdictOf(seen, own),
        seen: seen.flat(),
        predicted: own.flatMap((results) => results.flatMap(({ entry }) => entry ?? [])),
      };
    });
  });
}

/** A possible result of one file: an entry in the list, or undefined if the list has no entry. */
interface Possible {
  readonly entry: string | undefined;
  /** True if the client was not seen to do this as well as something else. */
  readonly isUnknown: boolean;
}

/** Returns the results of a file that belongs to a situation; none for other files. */
function entriesOf(results: readonly Result<Prediction>[] | undefined, situation: Situation): readonly Possible[] {
  if (!results) return [{ entry: undefined, isUnknown: true }];
  const entries = results.map(({ value, picks }) => ({
    entry:
      isLost(value) || !['yes', ...CONDITIONS].includes(value.admitted.listed) ? undefined : (value.entry ?? '').trim(),
    isUnknown: picks.some((one) => one.some(({ because }) => because !== 'varies')),
  }));
  return entries.some(({ entry }) => entry !== undefined && belongsTo(entry, situation)) ? entries : [];
}

/** Returns the entries of a situation, once for each result that was seen. */
function seenIn({ situations }: Observation, { id }: Situation): readonly (readonly string[])[] {
  const entries: Seen<readonly string[]> = situations[id]?.entries ?? [];
  return ('varies' in entries ? entries.varies : [entries]).map((list) => list.map((entry) => entry.trim()));
}

/** Compares each list that was seen with what the files of a situation may add to a list. */
function verdictOf(seen: readonly (readonly string[])[], own: readonly (readonly Possible[])[]): Verdict {
  const verdicts = seen.map((entries): Verdict => {
    const left = [...entries];
    const wrong = own.length === entries.length ? 'wrong-text' : 'wrong-list';
    for (const possible of own) {
      const at = left.findIndex((text) => possible.some(({ entry }) => entry === text));
      if (at >= 0) left.splice(at, 1);
      else if (possible.every(({ entry }) => entry !== undefined)) return wrong;
    }
    if (left.length > 0) return wrong;
    return own.some(isUnknown) ? 'unknown' : 'right';
  });
  return verdicts.find((verdict) => verdict !== 'right') ?? 'right';
}

const isUnknown = (possible: readonly Possible[]): boolean =>
  possible.some((one) => one.isUnknown) && new Set(possible.map(({ entry }) => entry)).size > 1;

/** A path with more links cannot be opened on Linux. */
const MOST_LINKS = 40;

/** Returns the files of situations, at each path that leads to them: links may be behind links, also in a loop. */
function filesOf(situations: readonly Situation[], skills: SkillsFolders): readonly ClientFile[] {
  const inPlace = (path: string): string => pathOf(path.replaceAll('{skills}', skills.project), skills);
  const contents = new Map<string, string | Uint8Array>();
  const links = new Map<string, string>();
  for (const [path, content] of situations.flatMap(({ files }) => Object.entries(files))) {
    if (typeof content === 'string' || content instanceof Uint8Array) contents.set(inPlace(path), content);
    else links.set(inPlace(path), inPlace(content.link));
  }
  const plugins = pluginsAmong(contents, skills);
  return [...contents].flatMap(([real, content]) => {
    if (real.endsWith('.json')) return [];
    let paths: readonly Pick<ClientFile, 'path' | 'link'>[] = [{ path: real }];
    const all = [...paths];
    for (let count = 1; count <= MOST_LINKS && paths.length > 0; count++) {
      paths = paths.flatMap(({ path, link }) =>
        [...links].flatMap(([first, target]) => {
          if (path !== target && !path.startsWith(`${target}/`)) return [];
          const isFile = path === target;
          const through = { folder: !isFile || link?.folder === true, file: isFile || link?.file === true };
          return [{ path: first + path.slice(target.length), link: { ...through, first, target: real } }];
        }),
      );
      all.push(...paths);
    }
    return all.map(({ path, link }) => {
      const around = plugins(path);
      return { ...fileOf(path, content, link), ...(around && { plugins: around }) };
    });
  });
}

/** Returns a look-up of the plugins around a file: those in the folders in which the client itself finds plugins. */
function pluginsAmong(
  contents: ReadonlyMap<string, string | Uint8Array>,
  skills: SkillsFolders,
): (path: string) => readonly PluginFolder[] | undefined {
  const [client = ''] = skills.home.split('/');
  const isInstalled = (path: string): boolean =>
    !path.startsWith(`${HOME}/`) || path.startsWith(`${HOME}/${skills.home}/`) || path.startsWith(`${HOME}/${client}/`);
  const uriOf = (path: string): string => `file:///${path}`;
  const manifests = [...contents].flatMap(([path, content]) =>
    path.endsWith('.json') && typeof content === 'string' && isInstalled(path)
      ? [folderManifests(new SkillFile(uriOf(path), content))]
      : [],
  );
  const folders = new PluginFolders(
    manifests,
    () => [...contents].map(([path, text]) => ({ uri: uriOf(path), text: String(text) })),
    () => undefined,
  );
  return (path) =>
    folders.around(uriOf(path))?.map((plugin) => ({
      ...plugin,
      path: plugin.path.slice(1),
      commands: plugin.commands.map((command) => ({ ...command, path: command.path.slice(1) })),
      plans: new Map(),
      ...(plugin.instead !== undefined && { instead: plugin.instead.slice(1) }),
    }));
}

/** Returns a file that is read once for the same rules. */
function fileOf(path: string, content: string | Uint8Array, link?: PathLinks): ClientFile {
  const text = typeof content === 'string' ? content : new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
  const file = textFile(path, text, link);
  const known = new Map<ReadRules['open'], Map<ReadRules['parse'], ReturnType<ClientFile['readings']>>>();
  return {
    ...file,
    readings({ id, open, parse }) {
      const ofOpen = known.get(open) ?? new Map<ReadRules['parse'], ReturnType<ClientFile['readings']>>();
      if (!ofOpen.has(parse)) ofOpen.set(parse, file.readings({ id, open, parse }));
      known.set(open, ofOpen);
      return ofOpen.get(parse);
    },
  };
}

export function pathOf(path: string, skills: SkillsFolders): string {
  if (path.startsWith('~/')) return `${HOME}/${path.slice(2)}`;
  if (path.startsWith('home:')) return `${HOME}/${skills.home}/${path.slice('home:'.length)}`;
  return path.startsWith('/') ? posix.normalize(WORKSPACE + path) : `${WORKSPACE}/${skills.project}/${path}`;
}
