/** `skill-composer clients`. */
import { join } from 'node:path';
import type { Analysis } from '../../../analysis/analysis.ts';
import { routingCases } from '../../../analysis/routing.ts';
import { sameNames } from '../../../analysis/same-names.ts';
import { isMeant, listedClients, targetRows, targetsBeside, targetsOf } from '../../../analysis/targets.ts';
import type { Client } from '../../../clients/facts/client.ts';
import { findClient, unknownClient } from '../../../clients/facts/clients.ts';
import { isKnownModel, type ModelChoice, unknownModel } from '../../../clients/facts/models.ts';
import type { Listing } from '../../../clients/matrix/budget.ts';
import type { ClientRow } from '../../../clients/matrix/cell.ts';
import { listText } from '../../../clients/matrix/limit-text.ts';
import type { Subject } from '../../../clients/matrix/subject.ts';
import { withList } from '../../../clients/matrix/with-list.ts';
import { chosenView } from '../../../features/clients/chosen.ts';
import { npxSkillsNotes } from '../../../features/clients/npx-skills.ts';
import type { Severity } from '../../../finding.ts';
import { frameworkPrograms } from '../../../io/framework-programs.ts';
import { keptReader } from '../../../io/kept-reader.ts';
import { nodeFiles } from '../../../io/node-files.ts';
import { absolute, toUri } from '../../../io/paths.ts';
import {
  assertCatalogsParse,
  noteUnsearched,
  openProject,
  type Project,
  readSurroundings,
} from '../../../io/project.ts';
import { EMPTY_REQUEST, UserError } from '../../../io/user-error.ts';
import { atLeast, byFile } from '../../../reports/check-report.ts';
import {
  type ClientsReport,
  clientsToMarkdown,
  clientsToPretty,
  whyOf,
  whyToPretty,
} from '../../../reports/clients.ts';
import { clientsToJson, whyToJson } from '../../../reports/clients-json.ts';
import { fitted } from '../../../reports/fitted.ts';
import { configuredFor, draftsOf, findingsOf } from '../../../rules/engine/check.ts';
import { agentSkillCut } from '../../../rules/skill-md/agent-skill-cut.ts';
import { agentSkillIgnored } from '../../../rules/skill-md/agent-skill-ignored.ts';
import { agentSkillNotLoaded } from '../../../rules/skill-md/agent-skill-not-loaded.ts';
import { listingOverBudget } from '../../../rules/skill-md/listing-over-budget.ts';
import { evalFiles } from '../../../services/testing/eval-files.ts';
import { SkillFile } from '../../../skill/skill-file.ts';
import { showInvisible } from '../../../text.ts';
import type { Console } from '../console.ts';

export interface ClientsOptions {
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly config: string | undefined;
  readonly format: 'pretty' | 'json' | 'markdown';
  readonly failOn: Severity;
  /** The IDs of the clients. Empty for all clients. */
  readonly clients: readonly string[];
  /** The models, or the size of a context in tokens; undefined for those of the catalogs. */
  readonly model: ModelChoice;
  /** True to print only the skill lists and their budgets. */
  readonly budget: boolean;
}

/** Prints how clients load the named skills. Returns 1 if a target client loses a skill, else 0. */
export async function runClients(options: ClientsOptions, console: Console): Promise<number> {
  const { cwd, paths, config, format, failOn, budget } = options;
  const { progress, colors } = console;
  const asked = clientsCalled(options.clients);
  const project = await openProject({ cwd, paths, config, progress, clients: asked, readsOutside: true }).finally(() =>
    progress.end(),
  );
  noteUnsearched(project, console.note);
  assertCatalogsParse(project);
  useModel(project, options.model);
  let isFailed = false;
  // The check of a file reads the same rows as the report.
  const report = reportOf(project, asked, (uri) => {
    isFailed ||= fails(project, failOn, uri);
  });
  if (report.files.length === 0) {
    throw new UserError('No `SKILL.md` found. Specify a `SKILL.md`, or a folder that contains one.');
  }
  if (asked.length === 0 && format === 'pretty') await noteFrameworks(project, console.note);
  if (format === 'json') await console.printPieces(clientsToJson(report));
  else if (format === 'markdown') console.print(clientsToMarkdown(report, budget));
  else console.print(fitted(clientsToPretty(report, { colors, budget }), console.columns));
  const others = [...project.named].filter((uri) => !project.workspace.analysis.agentSkills.find(uri));
  return isFailed || others.some((uri) => fails(project, failOn, uri)) ? 1 : 0;
}

/** Returns the clients in the values of `--client`, each with one ID or several with commas. Throws a `UserError`. */
const clientsCalled = (values: readonly string[]): readonly Client[] =>
  values.flatMap((value) => value.split(',').map((word) => clientCalled(word.trim())));

/** Returns the client with an ID. Throws a `UserError` that names `option` if there is none. */
export function clientCalled(word: string, option = '--client'): Client {
  const [id = '', ...folder] = word.split(':');
  const client = findClient([id.toLowerCase(), ...folder].join(':'));
  if (client) return client;
  throw new UserError(`\`${option} ${word}\`: ${unknownClient(word)}`);
}

/**
 * Returns the models in the values of `--model`: names, or one number of tokens. Throws a `UserError` for an unknown name.
 */
export function modelsCalled(words: readonly string[]): ModelChoice {
  const [first = ''] = words;
  if (words.length === 1 && /^[\d,_]+$/.test(first)) {
    const tokens = Number(first.replace(/[,_]/g, ''));
    if (tokens > 0) return tokens;
  }
  for (const word of words) {
    if (isKnownModel(word)) continue;
    throw new UserError(`\`--model ${word}\`: ${unknownModel(word)}`);
  }
  return words.length === 0 ? undefined : words;
}

function useModel({ workspace }: Project, model: ModelChoice): void {
  if (model !== undefined) workspace.apply({ kind: 'model', model });
}

/** Notes each folder that a program passes to a framework, if the framework is not a target client in this folder. */
async function noteFrameworks({ workspace, named, fileOf, pathOf }: Project, note: (line: string) => void) {
  const { analysis } = workspace;
  for (const root of analysis.index.graph.roots) {
    const { folders } = await frameworkPrograms(nodeFiles, root);
    const [uri = `${root}/`] = [...named].filter((one) => one.startsWith(`${root}/`));
    const { clients: targets } = targetsBeside(analysis, uri);
    for (const { framework, folder, file, line } of folders) {
      const client = analysis.clientsById.find(`${framework}:${folder}`);
      if (!client || targets.includes(client)) continue;
      const at = showInvisible(`${fileOf(toUri(join(pathOf(root), file)))}:${line}`);
      const ids = [...targets, client].map(({ id }) => id).join(',');
      note(
        `\`${at}\` names \`${folder}\` for ${client.name.replace(` (${folder})`, '')}, which is not a target client. Add it with \`skill-composer clients --set ${showInvisible(ids)}\`.`,
      );
    }
  }
}

function reportOf(
  { workspace, named, clientSkills, fileOf }: Project,
  called: readonly Client[],
  onFile: (uri: string) => void,
): ClientsReport {
  const { analysis } = workspace;
  const uris = new Set([...named, ...clientSkills]);
  const subjects = [...uris].flatMap((uri) => analysis.agentSkills.find(uri) ?? []);
  const files = subjects.map(({ uri }) => ({ uri, file: fileOf(uri) })).sort(byFile);
  const targets = new Set(subjects.flatMap((subject) => targetsOf(analysis, subject).clients));
  const asked = meantBy(analysis, called, [...targets]);
  const shown = asked.length > 0 ? asked : listedClients([...targets]);
  const texts = new Map<Listing, string>();
  const rows = files.flatMap(({ uri, file }) => {
    const skill = analysis.clientFile(uri);
    if (!skill) return [];
    // The lists of all clients would take long.
    const withOwnList = (row: ClientRow): ClientRow => {
      if (asked.length === 0 && !targets.has(row.client)) return row;
      return withList(row, analysis.listings.find(row.client, uri), uri, (listing) => {
        const text = texts.get(listing) ?? listText(listing);
        texts.set(listing, text);
        return text;
      });
    };
    const own = analysis.clientRows(skill, shown);
    onFile(uri);
    return [{ file, rows: own.map(withOwnList) }];
  });
  return {
    files: rows,
    asked: shown,
    targets,
    isNarrowed: asked.length > 0,
    listings: listings(analysis, subjects, asked.length > 0 ? asked : [...targets]),
    npxSkills: npxSkillsNotes(
      files.flatMap(({ uri, file: shown }) => {
        const file = analysis.file(uri);
        return file ? [{ shown, file }] : [];
      }),
    ),
    sameNames: groupsOf(
      subjects.map(({ uri }) =>
        sameNames(analysis, uri).map(({ uri: other, scope, plugins }) => ({ file: fileOf(other), scope, plugins })),
      ),
    ),
  };
}

/** Returns the clients that are called: a framework without a folder means the folders of the target clients. */
function meantBy({ clientsById }: Analysis, called: readonly Client[], targets: readonly Client[]): readonly Client[] {
  const found = called.flatMap(({ id }) => clientsById.find(id) ?? []);
  return found.flatMap((client) => {
    const meant = client.framework ? targets.filter((one) => isMeant(client, one)) : [];
    return meant.length > 0 ? meant : [client];
  });
}

/** Returns each group of files once, although each of its skills has the same group. */
function groupsOf(all: ClientsReport['sameNames']): ClientsReport['sameNames'] {
  const groups = new Map<string, ClientsReport['sameNames'][number]>();
  for (const files of all) {
    const sorted = [...files].sort(byFile);
    if (sorted.length > 0) groups.set(sorted.map(({ file }) => file).join('\n'), sorted);
  }
  return [...groups.values()];
}

/** Returns the largest list of each of these clients that contains some of the skills, with the other skills in it. */
function listings(
  analysis: Analysis,
  subjects: readonly Subject[],
  asked: readonly Client[],
): ClientsReport['listings'] {
  return listedClients(asked)
    .filter((client) => asked.includes(client))
    .flatMap((client) => {
      const found = new Set(subjects.flatMap(({ uri }) => analysis.listings.find(client, uri) ?? []));
      return [...found].reduce<readonly Listing[]>(([best], one) => [best && best.used >= one.used ? best : one], []);
    });
}

export interface WhyOptions extends Pick<ClientsOptions, 'cwd' | 'paths' | 'config' | 'format' | 'clients' | 'model'> {
  /** The path of a `SKILL.md`. */
  readonly file: string;
  readonly request: string | undefined;
  readonly arguments: string | undefined;
}

/**
 * Prints whether clients find, load, list, choose and deliver a `SKILL.md` (docs/clients.md, "Will it be chosen?").
 *
 * @returns 1 if a step of a client is `no`, else 0.
 */
export async function runWhy(options: WhyOptions, console: Console): Promise<number> {
  const { cwd, paths, config, format, file: path, request, arguments: called } = options;
  if (format === 'markdown') throw new UserError('`--why` prints `pretty` or `json`. Use one of these formats.');
  if (request?.trim() === '') throw new UserError(EMPTY_REQUEST);
  const asked = clientsCalled(options.clients);
  const { progress, colors } = console;
  const folders = paths.length === 0 ? ['.'] : paths;
  const asNamed = { cwd, paths: [...folders, path], config, progress, clients: asked, readsOutside: true };
  const project = await openProject(asNamed).finally(() => progress.end());
  noteUnsearched(project, console.note);
  assertCatalogsParse(project);
  useModel(project, options.model);
  const uri = toUri(absolute(cwd, path));
  // Some clients name the files of the folder.
  await readSurroundings(project, uri);
  const { analysis } = project.workspace;
  const read = analysis.clientFile(uri);
  const file = analysis.file(uri) ?? (read && new SkillFile(uri, read.text));
  if (file?.dialect !== 'agent-skill')
    throw new UserError(`\`--why ${path}\`: not a \`SKILL.md\`. Specify a \`SKILL.md\`.`);
  const evals = await evalFiles(file, nodeFiles, keptReader(project));
  const cases = [
    ...routingCases(file).map((one) => ({ ...one, uri })),
    ...evals.flatMap(({ uri: of, evals: { triggers } }) =>
      triggers.map(({ request: text, shouldTrigger: should, span }) => ({ request: text, should, span, uri: of })),
    ),
  ];
  const { clients: targets } = targetRows(analysis, file);
  const shown = asked.length > 0 ? meantBy(analysis, asked, targets) : targets;
  const ids = shown.length > 0 ? shown.map(({ id }) => id) : [undefined];
  const views = ids.flatMap(
    (client) => chosenView(analysis, file, { client, request, arguments: called, cases }) ?? [],
  );
  const report = { file: project.fileOf(uri), clients: views.map((view) => whyOf(view, project.fileOf)) };
  if (format === 'json') await console.printPieces(whyToJson(report));
  else console.print(fitted(whyToPretty(report, colors, called !== undefined), console.columns));
  return views.some(({ steps }) => steps.some(({ outcome }) => outcome === 'no')) ? 1 : 0;
}

const RULES = [agentSkillNotLoaded, agentSkillCut, agentSkillIgnored, listingOverBudget];

/** Returns whether a named file has a finding about target clients that is at least this severe. */
function fails({ workspace: { analysis }, named }: Project, failOn: Severity, uri: string): boolean {
  const file = named.has(uri) ? analysis.file(uri) : undefined;
  if (!file) return false;
  return RULES.filter(({ dialects }) => dialects.includes(file.dialect)).some((rule) => {
    const findings = findingsOf(configuredFor(analysis, uri), rule, () => draftsOf(file, analysis, rule));
    return findings.some(atLeast(failOn));
  });
}
