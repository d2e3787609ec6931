/** `skill-composer match`. */
import type { MatchQuery } from '../../../analysis/match-skills.ts';
import { assertCatalogsParse, openProject, type Project } from '../../../io/project.ts';
import { EMPTY_REQUEST, UserError } from '../../../io/user-error.ts';
import { printedJson } from '../../../reports/json.ts';
import { matchReport, matchToPretty, matchView } from '../../../reports/match.ts';
import type { Console } from '../console.ts';
import { assertProfile, useSurface } from './invocation.ts';

export interface MatchOptions extends Omit<MatchQuery, 'among'> {
  readonly cwd: string;
  readonly paths: readonly string[];
  readonly config: string | undefined;
  readonly format: 'pretty' | 'json';
}

/** Prints the skills that match a request. Returns the status 0, even if no skill matches. */
export async function runMatch(options: MatchOptions, console: Console): Promise<number> {
  const { cwd, paths, config, format, request, top, source, channel, profile } = options;
  const { progress, colors } = console;
  if (request.trim() === '') throw new UserError(EMPTY_REQUEST);
  const project = await openProject({ cwd, paths, config, progress }).finally(() => progress.end());
  assertCatalogsParse(project);
  assertProfile({ profiles: profilesOf(project) }, profile);
  useSurface(project, options.surface);
  const { fileOf, listed: among, workspace } = project;
  const view = matchView(workspace.analysis, { request, top, source, channel, profile, among });
  const report = { version: 1, ...matchReport(view, fileOf) };
  console.print(format === 'json' ? printedJson(report) : matchToPretty(report, colors));
  return 0;
}

/** Returns the profiles of all catalogs that govern a named file. */
function profilesOf({ workspace: { analysis }, named }: Project) {
  const catalogs = new Set([...named].map((uri) => analysis.catalogOf(uri)));
  return [...catalogs].flatMap(({ profiles }) => [...profiles.values()]);
}
