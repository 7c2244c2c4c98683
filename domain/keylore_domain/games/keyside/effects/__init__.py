"""What the effects of keyside §6 and §8.7 do, by the thing they act on."""
