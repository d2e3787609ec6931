/**
 * Answers “Will this skill be chosen?” for one skill and one client, as a chain of five steps (docs/clients.md, "Will it be
 * chosen?"). Everything is computed from the files and the facts about the client, without a model.
 */

import type { Analysis } from '../../analysis/analysis.ts';
import { ownersOfPlugins } from '../../analysis/plugin-losses.ts';
import { listedClients, targetRows } from '../../analysis/targets.ts';
import type { Client } from '../../clients/facts/client.ts';
import { clients } from '../../clients/facts/clients.ts';
import type { ClientRow } from '../../clients/matrix/cell.ts';
import { skillsFolderOf } from '../../clients/matrix/client-folders.ts';
import { isObserved } from '../../clients/matrix/prediction.ts';
import type { ChosenView, RequestRanking } from '../../protocol/chosen.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { chain, chosenStep, foundStep, loadedStep } from './chain.ts';
import { viewOf } from './clients-view.ts';
import { bodyFor, deliveredStep, partsOf } from './delivered-body.ts';
import { deliveredCalls } from './delivered-call.ts';
import { listedStep } from './listed-step.ts';
import { type ChosenCase, caseFor, rankingFor } from './request-ranking.ts';

export interface ChosenQuery {
  /** The ID of the client; undefined for the first target client that finds the skill, else the first client that does. */
  readonly client: string | undefined;
  /** A request to rank the client's skills for; undefined to rank only the routing cases. */
  readonly request: string | undefined;
  /** The arguments with which a user calls the skill; undefined to keep the placeholders. */
  readonly arguments: string | undefined;
  readonly cases: readonly ChosenCase[];
}

/**
 * Returns the chain of one skill and one client.
 *
 * @returns Undefined for another file than a `SKILL.md`.
 */
export function chosenView(analysis: Analysis, file: SkillFile, query: ChosenQuery): ChosenView | undefined {
  if (file.dialect !== 'agent-skill') return undefined;
  const targets = targetRows(analysis, file).clients;
  const asked = query.client === undefined ? undefined : analysis.clientsById.find(query.client);
  const rows = analysis.clientRows(file, asked ? [asked] : listedClients(targets));
  const ofTargets = rows.filter(({ client }) => targets.includes(client));
  const owners = ownersIn(analysis, file.uri);
  const ofOwners = rows.filter(({ client }) => owners.includes(client));
  const row = asked
    ? rows[0]
    : [ofTargets, ofOwners, rows].map((some) => firstFound(some) ?? some[0]).find((one) => one !== undefined);
  if (!row) return undefined;
  const { client } = row;
  const listing = analysis.listings.find(client, file.uri);
  const view = viewOf(analysis, file, row, targets.includes(client), listing);
  const list = analysis.clientLists.find(analysis, client, file.uri);
  const isListed = list.skills.has(file.uri) && row.listed.outcome !== 'no';
  const { matchingMargin } = analysis.parsedCatalogOf(file.uri);
  const rankFor = (request: string): RequestRanking => rankingFor(list, client, request, file.uri, matchingMargin);
  const request = query.request?.trim();
  const ranking = request && isListed ? rankFor(request) : undefined;
  const ranked = isListed ? query.cases.slice(0, MAX_CASES) : [];
  const cases = ranked.map((one) => caseFor(one, rankFor(one.request)));
  const files = analysis.folder(file.uri)?.files.map(({ path }) => path);
  const calls = row.loaded.outcome === 'no' ? undefined : deliveredCalls(file, row, files, query.arguments ?? '');
  const parts = partsOf(file, client, calls?.fillsFor).slice(0, MAX_PARTS);
  const body = row.loaded.outcome === 'no' ? undefined : bodyFor(file, client, query.arguments);
  const steps = chain(file, [
    foundStep(row),
    loadedStep(row),
    listedStep(row, view, listing, list.skills.size, analysis.listings.positionOf(client, file.uri)),
    chosenStep(row, isListed, ranking, cases),
    deliveredStep(client, parts, body, calls, query.arguments !== undefined),
  ]);
  return {
    uri: file.uri,
    client: { id: client.id, name: client.name, asOf: client.asOf, isObserved: isObserved(client) },
    clients: [...targets, ...clients.filter((one) => !targets.includes(one))].map((one) => ({
      ...{ id: one.id, name: one.name, isTarget: targets.includes(one) },
    })),
    steps,
    ...(view.line && { line: view.line }),
    ...(view.budget && { budget: view.budget }),
    isChoosable: isListed && row.chosen.outcome !== 'name' && row.chosen.outcome !== 'nobody',
    ...(ranking && { ranking }),
    cases,
    moreCases: isListed ? query.cases.length - cases.length : 0,
    parts,
    ...(body && { body }),
    frames: calls?.frames ?? [],
  };
}

/** Returns the clients for which the plugin of a skill was written; none for a skill in the folder of a client. */
function ownersIn({ agentSkills }: Analysis, uri: string): readonly Client[] {
  const subject = agentSkills.find(uri);
  return subject && !skillsFolderOf(subject) ? ownersOfPlugins(subject) : [];
}

const firstFound = (rows: readonly ClientRow[]): ClientRow | undefined =>
  rows.find(({ found }) => found.outcome === 'yes');

/** The maximum number of parts of a body that are returned. */
const MAX_PARTS = 500;

/** The maximum number of routing cases that are ranked. */
const MAX_CASES = 100;
