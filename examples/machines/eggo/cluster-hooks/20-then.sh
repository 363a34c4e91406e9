#!/bin/bash
echo "second script, after the first"
