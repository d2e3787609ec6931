/**
 * How long our template analysis takes on 100 KB, and how that compares with the engine loading the same text.
 * Run: npx esbuild bench/template.ts --bundle --platform=node --format=esm --packages=external --outfile=.x-bench.mjs && node .x-bench.mjs
 */
import { Environment } from 'minijinja-js';
import { parseTemplate } from '../server/src/languages/minijinja/parser.ts';
import { resolveScopes } from '../server/src/languages/minijinja/scopes.ts';
import { randomOf, template as randomTemplate } from '../test/properties/template/generate.ts';

const PROMPT = `You are {{ persona | default("an editor") }}, and write for {{ audience }}.

{% if tone == "grim" and not draft -%}
Keep it dark. {# No jokes. #}
{%- elif tone in ["wry", "warm"] -%}
Be {{ tone }}.
{%- else -%}
Use a plain voice.
{%- endif %}

{% for entry in memory if entry.tier == "hot" %}
{{ loop.index }}. [{{ entry.id }}] {{ entry.text | trim | truncate(length=200) }}
{% else %}
Nothing is known yet.
{% endfor %}

{% set limits = {"words": max_words or 300, "tags": tags | map("lower") | join(", ")} %}
Write at most {{ limits.words }} words about {{ user_request }}, with the tags {{ limits["tags"] }}.
{% include "closing" %}
`;

const LENGTH = 100_000;

/** Milliseconds of processor time: the best of several runs, after some to warm up. */
function cost(run: () => void): number {
  let best = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 30; i++) {
    const start = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(start);
    if (i >= 10) best = Math.min(best, (user + system) / 1000);
  }
  return best;
}

function randomText(engine: Environment): string {
  const random = randomOf(7);
  let text = '';
  for (let i = 0; text.length < LENGTH; i++) {
    const piece = randomTemplate(random).replaceAll(/\b(block|endblock) b(\d)/g, `$1 b$2_${i}`);
    try {
      engine.addTemplate('piece', piece);
      text += `${piece}\n`;
    } catch {
      // Only what the engine takes is compared.
    }
  }
  return text;
}

const engine = new Environment();
const texts = {
  prompt: PROMPT.repeat(Math.ceil(LENGTH / PROMPT.length)).slice(0, PROMPT.length * Math.floor(LENGTH / PROMPT.length)),
  random: randomText(engine),
};
for (const [name, text] of Object.entries(texts)) {
  const parsed = parseTemplate(text);
  const load = cost(() => engine.addTemplate('text', text));
  const parse = cost(() => parseTemplate(text));
  const scopes = cost(() => resolveScopes(parsed));
  const shown = (value: number) => `${value.toFixed(2)} ms`;
  console.log(
    `${name}: ${Math.round(text.length / 1000)} KB, ${parsed.problems.length} problems; engine loads ${shown(load)}, ` +
      `we parse ${shown(parse)} (ratio ${(parse / load).toFixed(2)}, at most 5), scopes ${shown(scopes)}`,
  );
}
