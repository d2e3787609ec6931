// One query with the Claude Agent SDK: WORKSPACE MODEL_URL PROMPT APPROVED
import { query } from '@anthropic-ai/claude-agent-sdk';

const [cwd, url, prompt, isApproved] = process.argv.slice(2);
const env = { ...process.env, ANTHROPIC_BASE_URL: url };
const options = { cwd, env, settingSources: ['project', 'user'], ...(isApproved === 'true' && { skills: 'all' }) };
for await (const message of query({ prompt, options })) {
  if (message.type === 'result') console.log(message.subtype, message.result);
}
