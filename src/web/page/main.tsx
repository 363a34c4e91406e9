import { createRoot } from 'react-dom/client';

const place = document.querySelector('#page');
if (place !== null) createRoot(place).render(<main>Boathook</main>);
