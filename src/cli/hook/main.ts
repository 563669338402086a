import { becomeReporter } from './hook-process.js';

becomeReporter(process.argv.slice(2));
