/** SPDX licence identifiers, the common ones first. */
import identifiers from 'spdx-license-ids/index.json' with { type: 'json' };
import { Kind, type Proposal, Rank } from './proposal.ts';

const COMMON: ReadonlyMap<string, string> = new Map(
  Object.entries({
    MIT: 'short and permissive',
    'Apache-2.0': 'permissive, with a grant of patents',
    'BSD-3-Clause': 'permissive',
    ISC: 'short and permissive',
    'MPL-2.0': 'copyleft by file',
    'GPL-3.0-or-later': 'copyleft',
    'AGPL-3.0-or-later': 'copyleft, over the network too',
    'CC-BY-4.0': 'texts, with attribution',
    'CC-BY-SA-4.0': 'texts, with attribution, share alike',
    'CC0-1.0': 'no rights reserved',
    UNLICENSED: 'nobody may use it',
  }),
);

export const licenceProposals = (): readonly Proposal[] => [
  ...[...COMMON].map(([label, detail]) => ({ label, kind: Kind.Constant, detail, rank: Rank.near })),
  ...identifiers.map((label) => ({ label, kind: Kind.Constant, rank: Rank.known })),
];
